/**
 * Records as stores outside this process keep them.
 *
 * @module
 */
import { isRecord } from '../protocol/jsonrpc.ts'
import { isLoggingLevel } from '../protocol/logging.ts'
import { isLegacyRevision } from '../protocol/versions.ts'
import type { SessionInit, SessionRecord } from './session-store.ts'

/** What a session is kept as, besides its id and its URIs. */
export type KeptRecord = Omit<SessionRecord, 'id' | 'uris'>

/**
 * What a new session is kept as.
 *
 * @param init what it begins with
 * @param now milliseconds since 1970
 */
export function newRecord(init: SessionInit, now: number): KeptRecord {
  const { revision, clientInfo, capabilities, owner, origin } = init
  return {
    revision,
    clientInfo,
    capabilities,
    owner,
    origin,
    createdAt: now,
    initialized: false,
    logLevel: undefined,
  }
}

/**
 * Reads a record. We wrote it ourselves, but perhaps with another version of this package.
 *
 * @param id the session
 * @param value what was kept
 * @param uris what it is subscribed to
 * @returns undefined for what is not a record
 */
export function readRecord(
  id: string,
  value: unknown,
  uris: readonly string[] = [],
): SessionRecord | undefined {
  if (!isRecord(value)) return undefined
  const { revision, clientInfo, capabilities, createdAt, logLevel } = value
  if (typeof revision !== 'string' || !isLegacyRevision(revision)) return undefined
  if (!isRecord(clientInfo) || !isRecord(capabilities) || typeof createdAt !== 'number') {
    return undefined
  }
  const { name, version } = clientInfo
  if (typeof name !== 'string' || typeof version !== 'string') return undefined
  return {
    id,
    revision,
    clientInfo: { ...clientInfo, name, version },
    capabilities,
    owner: textOf(value['owner']),
    origin: textOf(value['origin']),
    createdAt,
    initialized: value['initialized'] === true,
    logLevel: isLoggingLevel(logLevel) ? logLevel : undefined,
    uris,
  }
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
