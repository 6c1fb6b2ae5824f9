/**
 * News between whoever causes a change and whoever waits for it, in this process or beyond.
 *
 * @module
 */
import type { Awaitable } from '../shared/fetch.ts'

/** A piece of news. */
export interface BusEvent {
  /** What it is about: only those who asked for the topic hear of it. */
  readonly topic: string
  /** Any JSON value, so that it can travel. */
  readonly data: unknown
}

/**
 * Carries news.
 *
 * The contract, which `busContract` in `mcp-edge/testing` checks:
 *
 * - `publish` resolves when the bus has taken the event over; adapters hand the promise to
 *   `waitUntil`. Publishing without subscribers is fine.
 * - Once `subscribe` has answered, nothing published later is missed. Each subscription receives each
 *   event once, and the events of one publisher in their order.
 * - After the signal aborts, nothing more is delivered.
 * - A subscriber that throws does not keep the event from the others.
 */
export interface Bus {
  /** `'process'`: it ends at the bounds of this process. */
  readonly reach?: 'process' | undefined
  publish(event: BusEvent): Promise<void>
  subscribe(
    topics: readonly string[],
    deliver: (event: BusEvent) => void,
    signal: AbortSignal,
  ): Awaitable<void>
}

/** The topic of changes to the list of tools. */
export const TOOLS_TOPIC = 'tools'
/** The topic of changes to the list of prompts. */
export const PROMPTS_TOPIC = 'prompts'
/** The topic of changes to the lists of resources and resource templates. */
export const RESOURCES_TOPIC = 'resources'
/** The topic of pages that users were sent to and are done with. */
export const ELICITATIONS_TOPIC = 'elicitations'

/** The topic of log messages of the server at large; their data is `{ level, text }`. */
export const LOG_TOPIC = 'log'

/**
 * The topic of changes to one resource.
 *
 * @param uri the resource
 */
export function resourceTopic(uri: string): string {
  return `resource/${uri}`
}

/**
 * The topic of mail to one session.
 *
 * @param id the session
 */
export function sessionTopic(id: string): string {
  return `session/${id}`
}
