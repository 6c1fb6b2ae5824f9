/**
 * The other direction of matching, to hold matching against: writes the URI of some values.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6570#section-3.2
 * @module
 */
import { parseTemplate } from '../../src/schema/uri-template-parse.ts'
import type {
  Expression,
  Operator,
  UriTemplateValues,
  Variable,
} from '../../src/schema/uri-template-parts.ts'

/** Expands a template; variables without a value are left out. */
export function expandTemplate(template: string, values: UriTemplateValues): string {
  const parts = parseTemplate(template, 'URI template')
  return parts
    .map((part) => (typeof part === 'string' ? part : expandExpression(part, values)))
    .join('')
}

function expandExpression(expression: Expression, values: UriTemplateValues): string {
  const { operator, variables, lead } = expression
  const items = variables.flatMap((variable) => expandVariable(variable, expression, values))
  return items.length === 0 ? '' : lead + items.join(separatorOf(operator))
}

function separatorOf(operator: Operator): string {
  switch (operator) {
    case '/':
      return '/'
    case '?':
    case '&':
      return '&'
    case '':
    case '+':
    case '#':
      return ','
  }
}

function expandVariable(
  { name, explode }: Variable,
  expression: Expression,
  values: UriTemplateValues,
): string[] {
  const value = Object.hasOwn(values, name) ? values[name] : undefined
  if (value === undefined) return []
  if ((typeof value !== 'string') !== explode) {
    throw new TypeError(`URI template: "${name}" must be ${explode ? 'a list' : 'a string'}`)
  }
  const items = typeof value === 'string' ? [value] : value
  const keyed = expression.operator === '?' || expression.operator === '&'
  return items.map((item) => {
    const text = item.toWellFormed()
    return keyed ? `${name}=${encode(text)}` : encodeFor(expression, text)
  })
}

function encodeFor(expression: Expression, value: string): string {
  const { operator, variables, stops } = expression
  if (operator !== '+' && operator !== '#') return encode(value)
  const listed = variables.length > 1 || variables[0]?.explode === true
  let text = encodeReserved(value)
  for (const stop of listed ? `,${stops}` : stops) text = text.replaceAll(stop, percent)
  return text
}

/** Encodes everything but RFC 3986's unreserved characters. */
function encode(value: string): string {
  return encodeURIComponent(value).replaceAll(/[!'()*]/g, percent)
}

/** Keeps reserved characters, but encodes `%`, so that decoding once gives the value back. */
function encodeReserved(value: string): string {
  return encodeURI(value).replaceAll('%5B', '[').replaceAll('%5D', ']')
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}
