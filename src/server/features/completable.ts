/**
 * What can be completed of a definition: the arguments of a prompt, the variables of a template.
 *
 * @module
 */
import type { Completer } from '../definitions.ts'

/** What can be completed of a definition. */
export interface Completable {
  /** The names of all arguments or variables. */
  readonly names: readonly string[]
  /** What suggests values, by name. */
  readonly complete: Readonly<Record<string, Completer>>
}

/**
 * Puts completers to the names they are for.
 *
 * @param subject how to begin the message, such as `prompt 'x'`
 * @throws {TypeError} if a completer is for a name that the definition does not have
 */
export function toCompletable(
  subject: string,
  names: readonly string[],
  complete: Completable['complete'] = {},
): Completable {
  const stray = Object.keys(complete).find((name) => !names.includes(name))
  if (stray !== undefined) throw new TypeError(`${subject} has no '${stray}' to complete`)
  return { names, complete }
}

/**
 * Tells whether anything suggests values.
 *
 * @param definitions definitions of one kind
 */
export function anyCompletes(definitions: readonly Completable[]): boolean {
  return definitions.some(({ complete }) => Object.keys(complete).length > 0)
}
