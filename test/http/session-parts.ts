/**
 * The sessions of a handler without their handler, for tests of its parts.
 *
 * @module
 */
import { Endpoint } from '../../src/http/endpoint.ts'
import type { HandlerOptions } from '../../src/http/options.ts'
import type { Sessions, SessionVisit } from '../../src/http/sessions.ts'
import type { SseStream } from '../../src/http/sse-stream.ts'
import { memorySessions } from '../../src/stores/memory-sessions.ts'
import type { SessionInit, SessionRecord, SessionStore } from '../../src/stores/session-store.ts'
import { ENDPOINT, fakeClock } from '../support/index.ts'
import type { FakeClock } from '../support/index.ts'
import { quiet } from './served.ts'
import type { Reported } from './served.ts'

/** Sessions whose time a test moves by hand. */
export interface SessionParts {
  readonly sessions: Sessions
  readonly clock: FakeClock
  readonly reported: readonly Reported[]
  /** Opens a session. */
  readonly open: (init?: Partial<SessionInit>) => Promise<SessionRecord>
}

/**
 * Makes sessions.
 *
 * @param options what differs from the usual
 */
export function sessionParts(options: HandlerOptions = {}): SessionParts {
  const clock = fakeClock()
  const { server, reported } = quiet()
  const { sessions } = new Endpoint(server, { clock, ...options })
  if (sessions === undefined) throw new Error('there are no sessions')
  const open = async (init: Partial<SessionInit> = {}): Promise<SessionRecord> => {
    const clientInfo = { name: 'client', version: '1' }
    const usual = { revision: '2025-11-25', clientInfo, capabilities: {} } as const
    const record = await sessions.store.create({ ...usual, ...init })
    if (record === 'full') throw new Error('there is no room')
    return record
  }
  return { sessions, clock, reported, open }
}

/**
 * A store that differs from the one in memory.
 *
 * @param own what differs
 */
export function storeWith(own: Partial<SessionStore>): SessionStore {
  const memory = memorySessions()
  return {
    traits: memory.traits,
    create: (init) => memory.create(init),
    get: (id) => memory.get(id),
    update: (id, patch) => memory.update(id, patch),
    delete: (id) => memory.delete(id),
    ...own,
  }
}

/**
 * A request of a session.
 *
 * @param id the id of the session; none when absent
 * @param headers more headers
 */
export function visitOf(id?: string, headers: Readonly<Record<string, string>> = {}): SessionVisit {
  const named = id === undefined ? {} : { 'mcp-session-id': id }
  const request = new Request(ENDPOINT, { headers: { ...named, ...headers } })
  return { request, auth: undefined, extra: undefined }
}

/** What was written to a stream that has ended. */
export function textOf(stream: SseStream): Promise<string> {
  return new Response(stream.readable).text()
}
