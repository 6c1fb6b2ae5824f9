/**
 * Problems as text, for a model or a person to act on.
 *
 * @module
 */
import type { Issue } from './standard.ts'
import { MAX_REPORTED_ISSUES } from '../protocol/limits.ts'

/**
 * Writes one line per problem, each with the path of the value it is about. Beyond the bound the rest are counted.
 *
 * @param issues what validation found
 */
export function formatIssues(issues: readonly Issue[]): string {
  const lines = issues.slice(0, MAX_REPORTED_ISSUES).map(formatIssue)
  const more = issues.length - lines.length
  if (more > 0) lines.push(`… and ${more} more`)
  return lines.join('\n')
}

function formatIssue({ message, path }: Issue): string {
  const where = formatPath(path ?? [])
  return where === '' ? message : `${where}: ${message}`
}

/**
 * Writes a path as code would: `a.b[0]["odd key"]`.
 *
 * @param path keys from the root
 */
export function formatPath(path: NonNullable<Issue['path']>): string {
  let text = ''
  for (const segment of path) {
    const key = typeof segment === 'object' ? segment.key : segment
    text += formatKey(key, text === '')
  }
  return text
}

function formatKey(key: PropertyKey, first: boolean): string {
  if (typeof key === 'number') return `[${key}]`
  const name = String(key)
  if (!/^[\p{ID_Start}$_][\p{ID_Continue}$-]*$/u.test(name)) return `[${JSON.stringify(name)}]`
  return first ? name : `.${name}`
}
