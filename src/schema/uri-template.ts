/**
 * RFC 6570 templates as MCP uses them, compiled once, matched in linear time without a regular expression that could
 * backtrack. Known operators: `{x}` `{+x}` `{#x}` `{/x}` `{?x}` `{&x}`, lists of variables, and `*`.
 *
 * Matching undoes expanding for values that are not empty and, in path positions, have no dot segments. What cannot be
 * told apart (`{a}{b}`, two variables that span slashes) is refused at definition.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6570
 * @module
 */
import type { TemplatePart, UriTemplateValues } from './uri-template-parts.ts'
import { MAX_URI_CHARS } from '../protocol/limits.ts'
import { parseTemplate } from './uri-template-parse.ts'
import { readExpression, stopsAt } from './uri-template-read.ts'

/**
 * What matching answers: the values; undefined when the URI is another's; `invalid` when it may be tried on no
 * template, because it is too long or badly encoded.
 */
export type UriTemplateMatch = UriTemplateValues | 'invalid' | undefined

/** A compiled template. */
export interface UriTemplate {
  /** Variable names in order of appearance. */
  readonly variables: readonly string[]
  /** Matches a whole URI; each value is percent-decoded once. */
  readonly match: (uri: string) => UriTemplateMatch
}

/**
 * Compiles a template.
 *
 * @param template the template as listed
 * @param subject begins the message of an error
 * @throws {TypeError} if it is malformed, ambiguous, or beyond the bounds on length and expressions.
 */
export function parseUriTemplate(template: string, subject = 'URI template'): UriTemplate {
  const parts = parseTemplate(template, subject)
  const expressions = parts.flatMap((part) => (typeof part === 'string' ? [] : [part]))
  const pivot = parts.findIndex((part) => typeof part !== 'string' && part.spans)
  const plan: Plan = { parts, pivot: pivot < 0 ? parts.length : pivot }
  return {
    variables: expressions.flatMap(({ variables }) => variables.map(({ name }) => name)),
    match: (uri) => matchUri(plan, uri),
  }
}

/** Parts before the pivot are matched from the left, parts after it from the right; the pivot takes what remains. */
interface Plan {
  readonly parts: readonly TemplatePart[]
  readonly pivot: number
}

/** The text each expression took, by index of its part. */
type Taken = (string | undefined)[]

function matchUri(plan: Plan, uri: string): UriTemplateMatch {
  if (uri.length > MAX_URI_CHARS) return 'invalid'
  const taken: Taken = []
  const end = matchTail(plan, uri, taken)
  if (end === undefined) return undefined
  const start = matchHead(plan, uri.slice(0, end), taken)
  if (start === undefined || start > end) return undefined
  const pivot = plan.parts[plan.pivot]
  if (pivot === undefined && start !== end) return undefined
  if (pivot !== undefined) taken[plan.pivot] = uri.slice(start, end)
  return readAll(plan.parts, taken)
}

/** Matches from the left up to the pivot; answers where the pivot starts. */
function matchHead(plan: Plan, uri: string, taken: Taken): number | undefined {
  let at = 0
  for (let index = 0; index < plan.pivot; index += 1) {
    const part = plan.parts[index]
    if (part === undefined) return undefined
    if (typeof part === 'string') {
      if (!uri.startsWith(part, at)) return undefined
      at += part.length
    } else {
      const end = endOf(plan, { index, at, uri })
      taken[index] = uri.slice(at, end)
      at = end
    }
  }
  return at
}

interface Spot {
  readonly index: number
  readonly at: number
  readonly uri: string
}

/** Where the text of an expression ends: at what must follow it, or at a character it cannot hold. */
function endOf(plan: Plan, { index, at, uri }: Spot): number {
  const part = plan.parts[index]
  if (part === undefined || typeof part === 'string') return at
  if (part.lead !== '' && uri[at] !== part.lead) return at
  const first = at + part.lead.length
  const limit = firstOf(uri, first, stopsAt(part))
  const next = plan.parts[index + 1]
  if (next === undefined) return limit
  if (typeof next !== 'string') return Math.min(limit, firstOf(uri, first, next.lead))
  // A last literal is anchored at the end, so a value may contain it.
  if (index + 2 === plan.parts.length) return Math.max(at, uri.length - next.length)
  const found = uri.indexOf(next, first)
  if (found < 0) return uri.startsWith(next, at) ? at : limit
  return Math.min(limit, found)
}

function firstOf(uri: string, from: number, stops: string): number {
  let at = from
  while (at < uri.length && !stops.includes(uri.charAt(at))) at += 1
  return at
}

/** Matches from the right down to the pivot; answers where the pivot ends. */
function matchTail(plan: Plan, uri: string, taken: Taken): number | undefined {
  let end = uri.length
  for (let index = plan.parts.length - 1; index > plan.pivot; index -= 1) {
    const part = plan.parts[index]
    if (part === undefined) return undefined
    if (typeof part === 'string') {
      end -= part.length
      if (end < 0 || !uri.startsWith(part, end)) return undefined
    } else {
      const start = startOf(plan, { index, at: end, uri })
      taken[index] = uri.slice(start, end)
      end = start
    }
  }
  return end
}

/** The mirror image of `endOf`: where the text of an expression that ends at `at` begins. */
function startOf(plan: Plan, { index, at, uri }: Spot): number {
  const part = plan.parts[index]
  if (part === undefined || typeof part === 'string') return at
  const before = plan.parts[index - 1]
  const literal = typeof before === 'string' ? before : ''
  const mark = literal + part.lead
  const found = mark === '' ? -1 : uri.lastIndexOf(mark, at - mark.length)
  if (found < 0) return at
  const start = found + literal.length
  return firstOf(uri, start + part.lead.length, stopsAt(part)) < at ? at : start
}

function readAll(parts: readonly TemplatePart[], taken: Taken): UriTemplateMatch {
  const values: Record<string, string | readonly string[]> = Object.create(null)
  for (const [index, part] of parts.entries()) {
    if (typeof part === 'string') continue
    const outcome = readExpression(part, taken[index] ?? '', values)
    if (outcome === 'invalid') return 'invalid'
    if (outcome === 'mismatch') return undefined
  }
  return values
}
