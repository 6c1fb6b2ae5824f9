/**
 * Reads the text that an expression took back into values.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6570#section-3.2
 * @module
 */
import type { Expression, Variable } from './uri-template-parts.ts'

type Values = Record<string, string | readonly string[]>

/** How reading went: `invalid` means bad percent-encoding. */
export type ReadOutcome = 'match' | 'mismatch' | 'invalid'

/**
 * The characters that end an expression's text.
 *
 * @param expression any expression
 */
export function stopsAt({ operator, spans, stops }: Expression): string {
  switch (operator) {
    case '':
      return '/?#'
    case '/':
      return spans ? '?#' : '/?#'
    case '?':
    case '&':
      return '#'
    case '+':
    case '#':
      return stops
  }
}

/**
 * Reads the text of one expression.
 *
 * @param expression which expression
 * @param text what it took, with its leading character; empty when absent
 * @param values where its variables go
 */
export function readExpression(expression: Expression, text: string, values: Values): ReadOutcome {
  const { operator, lead, variables } = expression
  if (text === '') return lead === '' ? 'mismatch' : 'match'
  if (!text.startsWith(lead) || hasStop(expression, text.slice(lead.length))) return 'mismatch'
  const body = text.slice(lead.length)
  if (operator === '?' || operator === '&') return readPairs(variables, body, values)
  const separator = operator === '/' ? '/' : ','
  const whole = variables.length === 1 && variables[0]?.explode === false
  return readList(expression, whole ? [body] : body.split(separator), values)
}

function hasStop(expression: Expression, body: string): boolean {
  const stops = stopsAt(expression)
  for (const stop of stops) if (body.includes(stop)) return true
  return false
}

function readList(
  { operator, variables }: Expression,
  items: readonly string[],
  values: Values,
): ReadOutcome {
  const path = operator !== '#'
  const decoded: string[] = []
  for (const item of items) {
    const value = decode(item)
    if (value === undefined) return 'invalid'
    if (path && hasDotSegment(value)) return 'mismatch'
    // A slash that was encoded would name another resource than the one the template shows.
    if ((operator === '' || operator === '/') && value.includes('/')) return 'mismatch'
    decoded.push(value)
  }
  return assign(variables, decoded, values)
}

function assign(
  variables: readonly Variable[],
  items: readonly string[],
  values: Values,
): ReadOutcome {
  for (const [index, { name, explode }] of variables.entries()) {
    const item = items[index]
    if (item === undefined) return 'match'
    values[name] = explode ? items.slice(index) : item
    if (explode) return 'match'
  }
  return items.length > variables.length ? 'mismatch' : 'match'
}

function readPairs(variables: readonly Variable[], body: string, values: Values): ReadOutcome {
  const lists = new Map<string, string[]>()
  for (const pair of body.split('&')) {
    const equals = pair.indexOf('=')
    const name = equals < 0 ? pair : pair.slice(0, equals)
    const variable = variables.find((each) => each.name === name)
    if (variable === undefined) return 'mismatch'
    const value = decode(equals < 0 ? '' : pair.slice(equals + 1))
    if (value === undefined) return 'invalid'
    const list = lists.get(name)
    if (list === undefined) lists.set(name, [value])
    else if (variable.explode) list.push(value)
    else return 'mismatch'
  }
  for (const { name, explode } of variables) {
    const list = lists.get(name)
    if (list !== undefined) values[name] = explode ? list : list.join('')
  }
  return 'match'
}

/** `..` and `.` climb out of what the template describes, encoded or not. */
function hasDotSegment(value: string): boolean {
  return value.split(/[/\\]/).some((segment) => segment === '.' || segment === '..')
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    // The caller reports bad percent-encoding as an invalid URI.
    return undefined
  }
}
