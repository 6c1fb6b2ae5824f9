/**
 * Sessions as data: whoever can read the record can serve the request.
 *
 * @module
 */
import type { ClientCapabilities } from '../protocol/capabilities.ts'
import type { Implementation } from '../protocol/implementation.ts'
import type { LoggingLevel } from '../protocol/logging.ts'
import type { LegacyRevision } from '../protocol/versions.ts'
import type { Awaitable } from '../shared/fetch.ts'

/** What a session begins with. */
export interface SessionInit {
  /** The negotiated revision. */
  readonly revision: LegacyRevision
  readonly clientInfo: Implementation
  readonly capabilities: ClientCapabilities
  /** The principal it belongs to; undefined when nobody had to say who they are. */
  readonly owner?: string | undefined
  /** The origin of the page it was opened from. */
  readonly origin?: string | undefined
}

/** A session. Records are never changed; an update makes a new one. */
export interface SessionRecord extends SessionInit {
  /** Unguessable, visible ASCII. */
  readonly id: string
  /** Milliseconds since 1970. */
  readonly createdAt: number
  /** The client said that it is ready. */
  readonly initialized: boolean
  /** The least severe level to log; undefined until the client sets one, and then nothing is logged. */
  readonly logLevel?: LoggingLevel | undefined
  /** The resources it is subscribed to, each once. */
  readonly uris: readonly string[]
}

/** A change to a session. Each member is a step of its own, so that two changes at once both hold. */
export interface SessionPatch {
  readonly initialized?: true | undefined
  readonly logLevel?: LoggingLevel | undefined
  /** A URI to subscribe to. */
  readonly subscribe?: string | undefined
  /** A URI to unsubscribe from. */
  readonly unsubscribe?: string | undefined
}

/** Who asks for a session. */
export interface SessionAsker {
  /** The principal; undefined when nobody had to say who they are. */
  readonly owner: string | undefined
}

/** What a store can do. */
export interface SessionTraits {
  /**
   * `update` works, and the idle time slides; without it, `update` is refused with an
   * `InvalidRequestError`, `delete` may be, and a session lasts from its making for a fixed time.
   */
  readonly mutable: boolean
  /** Whoever reads after a write sees it, wherever they are. */
  readonly consistent: boolean
  /** The store has `mail`; without it, the bus carries session mail. */
  readonly mail: boolean
}

/** Messages to whoever holds something alive for a session: an open stream, a waiting question. */
export interface SessionMail {
  /**
   * Sends to everyone who receives for the session now. Resolves when they have it, or when there
   * is nobody.
   */
  send(id: string, message: string): Promise<void>
  /** Delivers in order what is sent from now on, until the signal aborts. */
  receive(id: string, deliver: (message: string) => void, signal: AbortSignal): Awaitable<void>
}

/**
 * Keeps sessions.
 *
 * The contract, which `sessionStoreContract` in `mcp-edge/testing` checks:
 *
 * - Every method may answer at once or with a promise.
 * - A session expires when it has not been read for the store's idle time. `create`, `get` and
 *   `update` start that time anew. An expired session is unknown, exactly like one that never was.
 * - Any string may be asked for: an id that is unknown, forged or named like a member of
 *   `Object.prototype` is simply unknown.
 * - A store that is full answers `'full'` to `create`, after it has let go of what expired. It never
 *   drops a live session to make room.
 * - Two updates at once both hold.
 */
export interface SessionStore {
  readonly traits: SessionTraits
  /** `'process'`: it lives in the memory of this process, and nobody else sees it. */
  readonly reach?: 'process' | undefined
  /** Makes a session under a new id; `'full'` when there is no room. */
  create(init: SessionInit): Awaitable<SessionRecord | 'full'>
  /**
   * Finds a session and keeps it alive.
   *
   * @param asker who asks, where that is known: a store may then find nothing, without looking, where
   *   the session is somebody else's
   */
  get(id: string, asker?: SessionAsker): Awaitable<SessionRecord | undefined>
  /** Changes a session; undefined when it is unknown. */
  update(id: string, patch: SessionPatch): Awaitable<SessionRecord | undefined>
  /** Ends a session; false when it was unknown. */
  delete(id: string): Awaitable<boolean>
  readonly mail?: SessionMail | undefined
  /** How many sessions there are, expired ones that nobody has met yet included. */
  size?(): Awaitable<number>
}

/**
 * The record after a change.
 *
 * @param record the record before
 * @param patch the change
 */
export function patched(record: SessionRecord, patch: SessionPatch): SessionRecord {
  const { initialized, logLevel, subscribe, unsubscribe } = patch
  let { uris } = record
  if (unsubscribe !== undefined) uris = uris.filter((uri) => uri !== unsubscribe)
  if (subscribe !== undefined && !uris.includes(subscribe)) uris = [...uris, subscribe]
  return {
    ...record,
    uris,
    initialized: initialized ?? record.initialized,
    logLevel: logLevel ?? record.logLevel,
  }
}
