/**
 * What a case is, and what it is given.
 *
 * @module
 */
import type { Place } from './fixture.ts'

/** How a case reaches the server under test. */
export interface Env {
  /** Where an endpoint is. */
  readonly at: (place: Place) => string
  /** `fetch` over a socket, or the handler itself. */
  readonly send: (request: Request) => Promise<Response>
  /** The status of a POST with this `Host` header, which `fetch` may not set everywhere. */
  readonly statusForHost: (host: string) => Promise<number>
  /** `handler.stats()`, wherever the handler lives. */
  readonly stats: () => Promise<Readonly<Record<string, number>>>
  /** False where a client that left is noticed only once something is written to it. */
  readonly noticesSilence: boolean
  /** False where nothing that lives may be kept from one request to the next: there such things take Durable Objects. */
  readonly shared: boolean
  /** Whether there is a connection that somebody might cut. */
  readonly sockets: boolean
}

/** One thing that has to hold. */
export interface Case {
  readonly name: string
  readonly run: (env: Env) => Promise<void>
  /** Where it makes sense; default everywhere. */
  readonly when?: ((env: Env) => boolean) | undefined
}
