/**
 * Parses a URI template and refuses what could not be matched in one way only.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6570#section-2
 * @module
 */
import type { Expression, Operator, TemplatePart, Variable } from './uri-template-parts.ts'
import { MAX_TEMPLATE_CHARS, MAX_TEMPLATE_EXPRESSIONS } from '../protocol/limits.ts'

/**
 * Parses a template into literals and expressions.
 *
 * @param template the template as listed
 * @param subject begins the message of an error
 * @throws {TypeError} if it is malformed, ambiguous or too large.
 */
export function parseTemplate(template: string, subject: string): readonly TemplatePart[] {
  if (template.length > MAX_TEMPLATE_CHARS) {
    throw new TypeError(`${subject} is longer than ${MAX_TEMPLATE_CHARS} characters`)
  }
  const parts = split(template, subject)
  const expressions = parts.filter((part) => typeof part !== 'string')
  if (expressions.length > MAX_TEMPLATE_EXPRESSIONS) {
    throw new TypeError(`${subject} has more than ${MAX_TEMPLATE_EXPRESSIONS} expressions`)
  }
  assertDistinct(expressions, subject)
  assertUnambiguous(parts, subject)
  return parts.map((part, index) => withStops(part, parts.slice(index + 1)))
}

function split(template: string, subject: string): TemplatePart[] {
  const parts: TemplatePart[] = []
  let at = 0
  while (at < template.length) {
    const open = template.indexOf('{', at)
    const literal = template.slice(at, open < 0 ? template.length : open)
    if (literal.includes('}')) throw new TypeError(`${subject} has a "}" without a "{"`)
    if (literal !== '') parts.push(literal)
    if (open < 0) break
    const close = template.indexOf('}', open)
    if (close < 0) throw new TypeError(`${subject} has a "{" without a "}"`)
    parts.push(parseExpression(template.slice(open + 1, close), subject))
    at = close + 1
  }
  return parts
}

function parseExpression(body: string, subject: string): Expression {
  const operator = operatorOf(body.charAt(0))
  const list = body.slice(operator.length)
  const variables = list.split(',').map((spec) => parseVariable(spec, { body, subject }))
  const exploded = variables.findIndex(({ explode }) => explode)
  const keyed = operator === '?' || operator === '&'
  if (!keyed && exploded >= 0 && exploded < variables.length - 1) {
    throw new TypeError(`${subject}: in "{${body}}" only the last variable can have a "*"`)
  }
  const spans = operator === '+' || (operator === '/' && (exploded >= 0 || variables.length > 1))
  const lead = operator === '+' ? '' : operator
  return { operator, variables, lead, spans, stops: '' }
}

function operatorOf(first: string): Operator {
  switch (first) {
    case '+':
    case '#':
    case '/':
    case '?':
    case '&':
      return first
    default:
      return ''
  }
}

interface Where {
  readonly body: string
  readonly subject: string
}

function parseVariable(spec: string, { body, subject }: Where): Variable {
  const explode = spec.endsWith('*')
  const name = explode ? spec.slice(0, -1) : spec
  if (/^[A-Za-z0-9_]+(?:\.[A-Za-z0-9_]+)*$/.test(name)) return { name, explode }
  throw new TypeError(
    `${subject} has the expression "{${body}}"; names are letters, digits, "_" and ".", the operators + # / ? & and "*" are known`,
  )
}

function assertDistinct(expressions: readonly Expression[], subject: string): void {
  const seen = new Set<string>()
  for (const { name } of expressions.flatMap(({ variables }) => variables)) {
    if (seen.has(name)) throw new TypeError(`${subject} has the variable "${name}" twice`)
    seen.add(name)
  }
}

function assertUnambiguous(parts: readonly TemplatePart[], subject: string): void {
  const spanning = parts.filter((part) => typeof part !== 'string' && part.spans)
  const problems = parts.map((part, index) => neighbourProblem(part, parts[index + 1]))
  if (spanning.length > 1) problems.push('only one expression can span slashes')
  const problem = problems.find((each) => each !== undefined)
  if (problem !== undefined) throw new TypeError(`${subject} is ambiguous: ${problem}`)
}

function neighbourProblem(part: TemplatePart, next: TemplatePart | undefined): string | undefined {
  if (typeof part === 'string' || next === undefined) return undefined
  if (part.operator === '#') return 'nothing can follow "{#…}"'
  if (typeof next === 'string') return undefined
  if (next.lead === '') return 'two expressions need a literal between them'
  if (next.lead !== '&') return undefined
  return '"{&…}" needs a literal before it; write one "{?…}" with all variables'
}

/** A spanning or fragment value must not swallow the query or fragment that a later expression begins. */
function withStops(part: TemplatePart, later: readonly TemplatePart[]): TemplatePart {
  if (typeof part === 'string') return part
  let stops = part.operator === '#' ? '#' : ''
  for (const next of later) {
    const text = typeof next === 'string' ? next : next.lead
    for (const stop of '?&#') if (text.includes(stop)) stops += stop
  }
  return { ...part, stops }
}
