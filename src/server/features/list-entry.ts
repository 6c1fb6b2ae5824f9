/**
 * What the listed entries of all kinds have in common.
 *
 * @module
 */
import { RECOMMENDED_NAME_CHARS } from '../../protocol/limits.ts'
import type { CommonConfig } from '../definitions.ts'

/**
 * The members that every kind of entry may have.
 *
 * @param config what the definition says about itself
 */
export function commonMembers(config: CommonConfig): Record<string, unknown> {
  const { title, description, icons, meta } = config
  return { title, description, icons: icons?.length === 0 ? undefined : icons, _meta: meta }
}

/**
 * Checks the name of a definition.
 *
 * @param kind what is named, for the message
 * @throws {TypeError} if the name is not a string or is empty
 */
export function checkName(kind: string, name: unknown): asserts name is string {
  if (typeof name !== 'string' || name === '') {
    throw new TypeError(`the name of a ${kind} must be a string that is not empty`)
  }
}

/**
 * Checks that what runs a definition can be run.
 *
 * @param subject how to begin the message, such as `tool 'x'`
 * @throws {TypeError} if the handler is not a function
 */
export function checkHandler(subject: string, handler: unknown): void {
  if (typeof handler !== 'function')
    throw new TypeError(`${subject}: the handler must be a function`)
}

/**
 * Tells whether a name follows the recommendation for tool names, so that every client takes it.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/tools#tool-names
 */
export function isRecommendedName(name: string): boolean {
  return name.length <= RECOMMENDED_NAME_CHARS && /^[A-Za-z0-9_.-]+$/.test(name)
}
