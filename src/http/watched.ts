/**
 * Which resources anyone watches at one endpoint, and the hooks that hear of it.
 *
 * @module
 */
import { report } from '../server/report.ts'
import type { OnError } from '../server/report.ts'
import type { Awaitable } from '../shared/fetch.ts'

/** Hears that a resource is watched. `first`: nobody watched it here before. */
export type OnSubscribe = (uri: string, first: boolean) => Awaitable<void>
/** Hears that a resource is watched no longer. `last`: nobody watches it here any more. */
export type OnUnsubscribe = (uri: string, last: boolean) => Awaitable<void>

/** Who hears of watchers, and of hooks that fail. */
export interface WatchedHooks {
  readonly onSubscribe: OnSubscribe | undefined
  readonly onUnsubscribe: OnUnsubscribe | undefined
  readonly onError: OnError | undefined
}

/** Counts the watchers of each resource. */
export class Watched {
  readonly #hooks: WatchedHooks
  readonly #counts = new Map<string, number>()

  constructor(hooks: WatchedHooks) {
    this.#hooks = hooks
  }

  /** Someone watches these from now on. */
  add(uris: readonly string[]): void {
    const { onSubscribe } = this.#hooks
    if (onSubscribe === undefined && this.#hooks.onUnsubscribe === undefined) return
    for (const uri of uris) {
      const before = this.#counts.get(uri) ?? 0
      this.#counts.set(uri, before + 1)
      this.#tell(onSubscribe, uri, before === 0)
    }
  }

  /** Someone who was added watches these no longer. */
  remove(uris: readonly string[]): void {
    for (const uri of uris) {
      const left = (this.#counts.get(uri) ?? 0) - 1
      if (left > 0) this.#counts.set(uri, left)
      else this.#counts.delete(uri)
      this.#tell(this.#hooks.onUnsubscribe, uri, left <= 0)
    }
  }

  #tell(hook: OnSubscribe | undefined, uri: string, flag: boolean): void {
    if (hook === undefined) return
    const failed = (error: unknown): void =>
      report(this.#hooks.onError, error, { notification: { method: `watch ${uri}` } })
    try {
      const settling = hook(uri, flag)
      if (settling instanceof Promise) settling.catch(failed)
    } catch (error) {
      failed(error)
    }
  }
}
