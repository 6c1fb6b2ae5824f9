/**
 * Which scopes to ask for.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization#scope-selection-strategy
 * @module
 */

/** Where scopes may come from, most telling first. */
export interface ScopeSources {
  /** The `scope` of the challenge. */
  readonly challenged?: string | undefined
  /** `scopes_supported` of the protected resource. */
  readonly supported?: readonly string[] | undefined
  /** What the application asks for. */
  readonly configured?: readonly string[] | undefined
  /** What was asked for before: a new authorization never asks for less. */
  readonly requested?: string | undefined
  /** `scopes_supported` of the authorization server. */
  readonly offered?: readonly string[] | undefined
  /** Whether a refresh token is wanted. */
  readonly offline: boolean
}

const OFFLINE = 'offline_access'

/**
 * The scope parameter: the challenge's, else the resource's, else the application's, together with
 * what was asked for before. `offline_access` is in it exactly when a refresh token is wanted and the
 * authorization server offers it.
 *
 * @param sources where scopes may come from
 * @returns undefined when there is nothing to ask for, so that the parameter is left out
 */
export function scopeFor(sources: ScopeSources): string | undefined {
  const { challenged, supported = [], configured = [], requested, offered = [] } = sources
  const first = [words(challenged), supported, configured].find((list) => list.length > 0) ?? []
  const wanted = new Set([...words(requested), ...first])
  wanted.delete(OFFLINE)
  if (wanted.size === 0) return undefined
  if (sources.offline && offered.includes(OFFLINE)) wanted.add(OFFLINE)
  return [...wanted].join(' ')
}

/**
 * Tells whether every scope of `needed` is in `scope`.
 *
 * @param scope a scope parameter
 * @param needed another
 */
export function includesScope(scope: string | undefined, needed: string | undefined): boolean {
  const have = new Set(words(scope))
  return words(needed).every((one) => have.has(one))
}

function words(scope: string | undefined): readonly string[] {
  return scope === undefined ? [] : scope.split(' ').filter((word) => word !== '')
}
