/**
 * The way back of one call over a channel that others share.
 *
 * @module
 */
import type { Params, RequestId } from '../protocol/jsonrpc.ts'
import type { Peer } from '../rpc/peer.ts'
import type { ClientRequest, Outbox } from '../server/call.ts'

/** What an outbox needs. */
export interface LineOutboxParts {
  readonly write: (text: string) => Promise<void>
  /** Asks the client; undefined in an era that never does. */
  readonly peer: Peer | undefined
  readonly timeoutMs: number | null
}

/** One call's way back. After a cancellation nothing goes through it any more. */
export class LineOutbox implements Outbox {
  readonly #parts: LineOutboxParts
  readonly #controller = new AbortController()

  constructor(parts: LineOutboxParts) {
    this.#parts = parts
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** Whether the client wants no answer any more. */
  get cancelled(): boolean {
    return this.#controller.signal.aborted
  }

  /** Aborts the call. */
  cancel(reason: unknown): void {
    this.#controller.abort(reason)
  }

  notify(message: string): Promise<void> | undefined {
    return this.cancelled ? undefined : this.#parts.write(message)
  }

  get request(): ((request: ClientRequest) => Promise<Params>) | undefined {
    const { peer, timeoutMs: preset } = this.#parts
    if (peer === undefined) return undefined
    return ({ method, params, timeoutMs = preset }) =>
      peer.ask(method, params, {
        timeoutMs: timeoutMs === Number.POSITIVE_INFINITY ? null : timeoutMs,
        signal: this.signal,
        onAbandon: (id, reason) => void this.#withdraw(id, reason),
      })
  }

  /** The client may still be showing what nobody waits for any more. */
  async #withdraw(requestId: RequestId, reason: unknown): Promise<void> {
    const params = reason instanceof Error ? { requestId, reason: reason.message } : { requestId }
    const notification = { jsonrpc: '2.0', method: 'notifications/cancelled', params }
    await this.#parts.write(JSON.stringify(notification))
  }
}
