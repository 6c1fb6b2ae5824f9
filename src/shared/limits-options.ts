/**
 * Limits as users write them.
 *
 * @module
 */

/**
 * The limit that an option sets.
 *
 * @param name the option, for the error
 * @param value what the user wrote: a positive integer, null for no limit, undefined for the default
 * @param preset the default
 * @returns the limit; Infinity for none
 * @throws {TypeError} if the value is anything else
 */
export function limitOf(name: string, value: number | null | undefined, preset: number): number {
  if (value === undefined) return preset
  if (value === null) return Infinity
  if (Number.isSafeInteger(value) && value > 0) return value
  throw new TypeError(`${name} must be a positive integer, or null for no limit`)
}
