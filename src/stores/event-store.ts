/**
 * The log of what went out on the streams of sessions, so that a stream can be taken up again.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#resumability-and-redelivery
 * @module
 */
import type { RequestId } from '../protocol/jsonrpc.ts'
import type { Awaitable } from '../shared/fetch.ts'

/** Something that goes out on a stream. */
export interface StreamEvent {
  /** The session's id. */
  readonly session: string
  /** The stream's name, unique within the session and free of line breaks. */
  readonly stream: string
  /** The message; empty for an event that only carries an id. */
  readonly data: string
  /** The stream ends with it. */
  readonly final?: boolean | undefined
  /**
   * The request whose answer ends the stream, on the stream's first event. A store that outlives this
   * process may then end the stream with an error if the process dies before it has answered.
   */
  readonly owes?: RequestId | undefined
}

/** How a replay went. */
export interface Replay {
  /** The stream that the event belongs to. */
  readonly stream: string
  /** The stream's final event has been delivered, now or before. */
  readonly ended: boolean
}

/**
 * Keeps events, for a while.
 *
 * The contract, which `eventStoreContract` in `mcp-edge/testing` checks:
 *
 * - Every method may answer at once or with a promise.
 * - Ids are unique within a session over all its streams, visible ASCII, and mean nothing in any
 *   other session: there they are unknown, exactly like an id that never was.
 * - A replay delivers what followed the event on its own stream, in order and each once, and nothing
 *   of any other stream. If something that followed is no longer kept, the id is unknown, unless the
 *   final event is still there: that is the answer somebody waits for, so it is delivered.
 * - What is kept is bounded. A final event is kept until it has been replayed or is too old; other
 *   events go before it.
 */
export interface EventStore {
  /** `'process'`: it lives in the memory of this process, and nobody else sees it. */
  readonly reach?: 'process' | undefined
  /** Keeps an event and gives it an id. */
  append(event: StreamEvent): Awaitable<string>
  /** Delivers what followed an event, before it answers. */
  replay(
    session: string,
    lastEventId: string,
    deliver: (id: string, data: string) => void,
  ): Awaitable<Replay | 'unknown'>
  /** Forgets a session. */
  delete(session: string): Awaitable<void>
}
