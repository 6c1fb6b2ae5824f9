/**
 * What is remembered of a grant between requests and runs: the tokens, and whom they belong to.
 *
 * @module
 */
import { isRecord } from '../protocol/jsonrpc.ts'
import { hasStrings } from './fields.ts'
import type { TokenStorage } from './storage.ts'
import type { TokenSet } from './tokens.ts'

/** One grant: tokens of one issuer for one resource. */
export interface GrantRecord extends TokenSet {
  readonly issuer: string
  readonly resource: string
  /** The scope that was asked for. */
  readonly requested?: string | undefined
  /** Where the challenge said the resource's metadata is. */
  readonly metadataUrl?: string | undefined
  /** The tokens come from a grant, not from a refresh. */
  readonly granted: boolean
}

/**
 * Reads the grant for a server. A value that cannot be read counts as none.
 *
 * @param storage where it is kept
 * @param server the URL of the MCP server
 */
export async function loadGrant(
  storage: TokenStorage,
  server: string,
): Promise<GrantRecord | undefined> {
  const value = parseRecord(await storage.get(grantKey(server)))
  return isGrant(value) ? value : undefined
}

/**
 * Keeps the grant for a server.
 *
 * @param storage where
 * @param server the URL of the MCP server
 * @param grant what to keep
 */
export function saveGrant(
  storage: TokenStorage,
  server: string,
  grant: GrantRecord,
): Promise<void> {
  return storage.set(grantKey(server), JSON.stringify(grant))
}

/**
 * The storage key of the grant for a server.
 *
 * @param server the URL of the MCP server
 */
export function grantKey(server: string): string {
  return `grant ${server}`
}

/**
 * A stored JSON object; an empty one when there is none or it cannot be read.
 *
 * @param text the stored value
 */
export function parseRecord(text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return isRecord(value) ? value : {}
  } catch {
    return {}
  }
}

/** The storage gives back what was put there; this tells that from nothing, and from damage. */
function isGrant(
  value: Readonly<Record<string, unknown>>,
): value is Readonly<Record<string, unknown>> & GrantRecord {
  const { expiresAt = 0, refreshToken = '', scope = '', requested = '', metadataUrl = '' } = value
  const optional = [refreshToken, scope, requested, metadataUrl]
  if (typeof expiresAt !== 'number' || optional.some((one) => typeof one !== 'string')) return false
  return hasStrings(value, ['issuer', 'resource', 'accessToken'])
}
