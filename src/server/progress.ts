/**
 * Progress of a call, for callers that sent a token.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/utilities/progress
 * @module
 */
import { isRecord } from '../protocol/jsonrpc.ts'
import type { Params, ProgressToken } from '../protocol/jsonrpc.ts'

/** What a progress report may say besides how far it is. */
export interface ProgressOptions {
  /** The value of `progress` at the end, where it is known. */
  readonly total?: number | undefined
  /** What is going on, for a person to read. */
  readonly message?: string | undefined
}

/**
 * The token with which a caller asked for progress. Zero and the empty string are tokens too.
 *
 * @param params the parameters of the request
 */
export function progressTokenOf(params: Params): ProgressToken | undefined {
  const meta = params['_meta']
  const token = isRecord(meta) ? meta['progressToken'] : undefined
  return typeof token === 'string' || typeof token === 'number' ? token : undefined
}

/** Reports the progress of one call. A value that does not increase is dropped, as the protocol wants. */
export class ProgressReporter {
  readonly #token: ProgressToken
  #last = Number.NEGATIVE_INFINITY

  constructor(token: ProgressToken) {
    this.#token = token
  }

  /**
   * The notification for one report.
   *
   * @param progress how far the call is, in any unit
   * @returns undefined when the value does not increase
   * @throws {TypeError} if `progress` is not a finite number
   */
  next(progress: number, options: ProgressOptions = {}): string | undefined {
    if (!Number.isFinite(progress)) {
      throw new TypeError(`progress must be a finite number, got ${String(progress)}`)
    }
    if (progress <= this.#last) return undefined
    this.#last = progress
    const { total, message } = options
    const params = { progressToken: this.#token, progress, total, message }
    return JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress', params })
  }
}
