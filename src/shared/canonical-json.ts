/**
 * One text for one JSON value, whatever the order of its members.
 *
 * @module
 */

/**
 * A JSON value as text, with the members of every object in the order of their names.
 *
 * @param value a JSON value
 */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) => {
    if (typeof member !== 'object' || member === null || Array.isArray(member)) return member
    return Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  })
}
