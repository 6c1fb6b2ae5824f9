/**
 * Lenient reading of documents and responses: null and empty strings count as absent, as authorization
 * servers in the field send them for fields they do not use.
 *
 * @module
 */

/**
 * A non-empty string member.
 *
 * @param value the document
 * @param field the member's name
 */
export function stringOf(
  value: Readonly<Record<string, unknown>>,
  field: string,
): string | undefined {
  const found = value[field]
  return typeof found === 'string' && found !== '' ? found : undefined
}

/**
 * The strings of an array member; undefined when the member is not an array.
 *
 * @param value the document
 * @param field the member's name
 */
export function stringsOf(
  value: Readonly<Record<string, unknown>>,
  field: string,
): readonly string[] | undefined {
  const found: unknown = value[field]
  if (!Array.isArray(found)) return undefined
  return found.filter((item): item is string => typeof item === 'string' && item !== '')
}

/**
 * A number member, also one written as a string of digits.
 *
 * @param value the document
 * @param field the member's name
 */
export function numberOf(
  value: Readonly<Record<string, unknown>>,
  field: string,
): number | undefined {
  const found = value[field]
  const number = typeof found === 'string' && /^\d+$/.test(found) ? Number(found) : found
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

/**
 * Sets parameters, without those that have no value.
 *
 * @param params of a form or a URL
 * @param values by name
 */
export function setAll(
  params: URLSearchParams,
  values: Readonly<Record<string, string | undefined>>,
): void {
  for (const [name, value] of Object.entries(values))
    if (value !== undefined) params.set(name, value)
}

/**
 * Tells whether all of these members are strings.
 *
 * @param value the document
 * @param fields the members' names
 */
export function hasStrings<Name extends string>(
  value: Readonly<Record<string, unknown>>,
  fields: readonly Name[],
): value is Readonly<Record<Name, string>> {
  return fields.every((field) => typeof value[field] === 'string')
}
