/**
 * The table of requests we sent and that wait for an answer. Whoever asks opens an entry, whoever
 * reads from the peer settles it; neither needs to know how the messages travel.
 *
 * Every entry ends exactly once — by an answer, by its deadline, by its signal or by the end of the
 * conversation — and takes its timers and listeners with it.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/utilities/cancellation
 * @module
 */
import { McpError } from '../protocol/errors.ts'
import { isRecord, isRequestId } from '../protocol/jsonrpc.ts'
import type { JSONRPCResponse, Params, RequestId } from '../protocol/jsonrpc.ts'
import { onAbort } from '../shared/abort.ts'
import { systemClock } from '../shared/clock.ts'
import type { Clock } from '../shared/clock.ts'
import { RequestTimeoutError } from './errors.ts'

/** One report of progress, as the peer sent it. */
export interface ProgressUpdate {
  /** How far the work is; grows with every report. */
  readonly progress: number
  /** What `progress` will be at the end, when that is known. */
  readonly total?: number | undefined
  /** A line for people. */
  readonly message?: string | undefined
}

/** How long to wait, and whom to tell. */
export interface WaitOptions {
  /** What is asked; names the request in errors. */
  readonly method: string
  /** Milliseconds until the request fails; null waits for ever. Default null. */
  readonly timeoutMs?: number | null | undefined
  /** Starts `timeoutMs` anew with every report of progress. Default false. */
  readonly resetOnProgress?: boolean | undefined
  /** Milliseconds until the request fails in any case; null never. Default null. */
  readonly maxTotalMs?: number | null | undefined
  /** Ends the wait early; its reason becomes the rejection. */
  readonly signal?: AbortSignal | undefined
  /** Called with every report of progress. */
  readonly onProgress?: ((update: ProgressUpdate) => void) | undefined
  /**
   * Called once when we stop waiting while the peer may still be working: after a timeout or an
   * abort. The place to send `notifications/cancelled`. Not called when the table is closed.
   */
  readonly onAbandon?: ((id: RequestId, reason: unknown) => void) | undefined
}

/** An open entry. */
export interface PendingCall {
  /** The id to send; unique among ours, and so also the token to send when progress is wanted. */
  readonly id: RequestId
  /** The result; rejects with the peer's {@link McpError}, a timeout, the signal's reason, or the error the table was closed with. */
  readonly answer: Promise<Params>
}

/** What a table can be made with. */
export interface PendingOptions {
  /** Default the system clock. */
  readonly clock?: Clock | undefined
  /** Makes ids; each must be new. Default 1, 2, 3 …, our own number space. */
  readonly nextId?: (() => RequestId) | undefined
}

interface Entry {
  readonly options: WaitOptions
  readonly resolve: (result: Params) => void
  readonly reject: (reason: unknown) => void
  readonly deadline: unknown
  readonly unlisten: () => void
  lastProgress: number
  timer: unknown
}

/** Requests we sent, by their id. */
export class PendingRequests {
  readonly #clock: Clock
  readonly #nextId: () => RequestId
  readonly #entries = new Map<RequestId, Entry>()
  #closed: { readonly reason: unknown } | undefined

  constructor(options: PendingOptions = {}) {
    this.#clock = options.clock ?? systemClock
    this.#nextId = options.nextId ?? counter()
  }

  /** How many requests wait. */
  get size(): number {
    return this.#entries.size
  }

  /**
   * Opens an entry. Nothing is sent: the caller sends a request with the entry's id. When the signal
   * has already fired, or the table is closed, `answer` is rejected at once and nothing should be sent.
   *
   * @param options how long to wait, and whom to tell
   */
  open(options: WaitOptions): PendingCall {
    const id = this.#nextId()
    const { promise, resolve, reject } = Promise.withResolvers<Params>()
    // An entry may fail before anyone awaits it; that must not count as unhandled.
    promise.catch(() => undefined)
    const refusal = this.#refusal(options.signal)
    if (refusal !== undefined) reject(refusal.reason)
    else this.#entries.set(id, this.#entry(id, options, { resolve, reject }))
    return { id, answer: promise }
  }

  /**
   * Tells whether an id still waits.
   *
   * @param id an id that {@link open} gave
   */
  has(id: RequestId): boolean {
    return this.#entries.has(id)
  }

  /**
   * Settles the entry that a response belongs to.
   *
   * @param response what the peer answered
   * @returns false when nothing waits for it: late, repeated, or never asked
   */
  settle(response: JSONRPCResponse): boolean {
    if (response.id === undefined || response.id === null) return false
    const entry = this.#take(response.id)
    if (entry === undefined) return false
    if ('error' in response) entry.reject(fromWire(response.error))
    else entry.resolve(response.result)
    return true
  }

  /**
   * Fails one entry, for example because its message could not be sent.
   *
   * @param id an id that {@link open} gave
   * @param reason becomes the rejection
   * @returns false when it no longer waits
   */
  fail(id: RequestId, reason: unknown): boolean {
    const entry = this.#take(id)
    entry?.reject(reason)
    return entry !== undefined
  }

  /**
   * Gives a report of progress to the entry whose token it carries. Reports that do not grow are
   * dropped, as are those for a request that has ended.
   *
   * @param params the parameters of a `notifications/progress`
   * @returns false when nothing waits for it
   */
  progress(params: unknown): boolean {
    if (!isRecord(params)) return false
    const { progressToken: id, progress, total, message } = params
    if (!isRequestId(id)) return false
    const entry = this.#entries.get(id)
    if (entry === undefined || typeof progress !== 'number') return false
    if (!(progress > entry.lastProgress)) return true
    entry.lastProgress = progress
    if (entry.options.resetOnProgress === true) this.#rearm(id, entry)
    entry.options.onProgress?.({
      progress,
      total: typeof total === 'number' ? total : undefined,
      message: typeof message === 'string' ? message : undefined,
    })
    return true
  }

  /**
   * Rejects everything that waits and everything that will be opened.
   *
   * @param reason becomes the rejection
   * @param reasonFor makes a reason that names the method of each request, for those that wait
   */
  close(reason: unknown, reasonFor: (method: string) => unknown = () => reason): void {
    this.#closed ??= { reason }
    for (const [id, { options }] of this.#entries) this.fail(id, reasonFor(options.method))
  }

  #refusal(signal: AbortSignal | undefined): { readonly reason: unknown } | undefined {
    if (this.#closed !== undefined) return this.#closed
    return signal?.aborted === true ? { reason: signal.reason } : undefined
  }

  #entry(id: RequestId, options: WaitOptions, settlers: Pick<Entry, 'resolve' | 'reject'>): Entry {
    const { signal, maxTotalMs, timeoutMs } = options
    return {
      ...settlers,
      options,
      timer: this.#arm(id, timeoutMs),
      deadline: this.#arm(id, maxTotalMs),
      unlisten: onAbort(signal, (reason) => this.#abandon(id, reason)),
      lastProgress: Number.NEGATIVE_INFINITY,
    }
  }

  #arm(id: RequestId, ms: number | null | undefined): unknown {
    if (ms === null || ms === undefined) return undefined
    return this.#clock.setTimeout(() => this.#expire(id, ms), ms)
  }

  #rearm(id: RequestId, entry: Entry): void {
    this.#clock.clearTimeout(entry.timer)
    entry.timer = this.#arm(id, entry.options.timeoutMs)
  }

  #expire(id: RequestId, ms: number): void {
    const entry = this.#entries.get(id)
    if (entry !== undefined) this.#abandon(id, new RequestTimeoutError(entry.options.method, ms))
  }

  #abandon(id: RequestId, reason: unknown): void {
    const entry = this.#take(id)
    if (entry === undefined) return
    entry.reject(reason)
    entry.options.onAbandon?.(id, reason)
  }

  #take(id: RequestId): Entry | undefined {
    const entry = this.#entries.get(id)
    if (entry === undefined) return undefined
    this.#entries.delete(id)
    this.#clock.clearTimeout(entry.timer)
    this.#clock.clearTimeout(entry.deadline)
    entry.unlisten()
    return entry
  }
}

/**
 * Turns the error of a response into what is thrown.
 *
 * @param error the `error` member, already known to be well-formed
 */
function fromWire(error: { code: number; message: string; data?: unknown }): McpError {
  return new McpError(error.code, error.message, { data: error.data })
}

function counter(): () => RequestId {
  let last = 0
  return () => {
    last += 1
    return last
  }
}
