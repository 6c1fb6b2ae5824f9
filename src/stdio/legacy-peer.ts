/**
 * What is known of a legacy client: what it said in its handshake, and what it set since.
 *
 * @module
 */
import type { CallSession } from '../server/call.ts'
import type { LegacyIdentity } from '../server/eras/legacy.ts'
import type { Hello } from '../server/features/lifecycle.ts'
import { MAX_LISTEN_URIS } from '../protocol/limits.ts'
import { InvalidRequestError } from '../protocol/errors.ts'
import type { SessionPatch } from '../stores/session-store.ts'

/** The one client of a legacy conversation. */
export class LegacyPeer implements CallSession {
  readonly #hello: Hello
  readonly #subscribed = new Set<string>()
  #logLevel: LegacyIdentity['logLevel']

  constructor(hello: Hello) {
    this.#hello = hello
  }

  /** As the era knows it. */
  get identity(): LegacyIdentity {
    return { ...this.#hello, logLevel: this.#logLevel }
  }

  /** The lowest level of log messages it wants. */
  get logLevel(): LegacyIdentity['logLevel'] {
    return this.#logLevel
  }

  /** The revision it speaks. */
  get revision(): LegacyIdentity['revision'] {
    return this.#hello.revision
  }

  /** Whether it subscribed to a resource. */
  wants(uri: string): boolean {
    return this.#subscribed.has(uri)
  }

  async update({ logLevel, subscribe, unsubscribe }: SessionPatch): Promise<void> {
    if (logLevel !== undefined) this.#logLevel = logLevel
    if (unsubscribe !== undefined) this.#subscribed.delete(unsubscribe)
    if (subscribe === undefined || this.#subscribed.has(subscribe)) return
    if (this.#subscribed.size >= MAX_LISTEN_URIS)
      throw new InvalidRequestError(`At most ${MAX_LISTEN_URIS} resources can be subscribed to`)
    this.#subscribed.add(subscribe)
  }
}
