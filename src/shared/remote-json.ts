/**
 * JSON documents of other hosts, fetched with suspicion: redirects are not followed, bytes and time
 * are bounded, and what comes back is described rather than trusted.
 *
 * @module
 */
import { abortable } from './abort.ts'

/** The part of `fetch` that is used, so that a test or a platform can bring its own. */
export type FetchLike = (input: string, init?: RequestInit) => Promise<Response>

/** How a document is fetched. */
export interface RemoteJsonOptions {
  readonly fetch: FetchLike
  /** Bytes that are read at most. */
  readonly maxBytes: number
  /** Milliseconds until the exchange is given up. */
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
  readonly init?: RequestInit | undefined
}

/** What a host answered. */
export interface RemoteJson {
  /** The HTTP status; 0 when no answer came, or one that is too large to be believed. */
  readonly status: number
  /** The parsed body; undefined when it is not JSON, too large, or no answer came. */
  readonly value: unknown
  /** Why this is no success, as a phrase that follows the URL in a message; undefined for a 2xx with JSON. */
  readonly problem?: string | undefined
}

/**
 * The platform's `fetch`, looked up at each call: some platforms refuse it as a method of something
 * else, and tests replace it.
 *
 * @param input where to
 * @param init how
 */
export function platformFetch(input: string, init?: RequestInit): Promise<Response> {
  return fetch(input, init)
}

/**
 * Fetches a JSON document. Never throws for what the host does; an abort by the caller is thrown.
 *
 * @param url where to
 * @param options the means and the bounds
 * @throws the reason of `options.signal` when that is aborted
 */
export async function remoteJson(url: string, options: RemoteJsonOptions): Promise<RemoteJson> {
  const deadline = AbortSignal.timeout(options.timeoutMs)
  const signal =
    options.signal === undefined ? deadline : AbortSignal.any([options.signal, deadline])
  try {
    const init: RequestInit = { ...options.init, redirect: 'manual', signal }
    return await abortable(signal, exchange(url, init, options))
  } catch {
    options.signal?.throwIfAborted()
    const problem = deadline.aborted ? 'did not answer in time' : 'could not be reached'
    return { status: 0, value: undefined, problem }
  }
}

async function exchange(
  url: string,
  init: RequestInit,
  { fetch, maxBytes }: RemoteJsonOptions,
): Promise<RemoteJson> {
  return describe(await fetch(url, init), maxBytes)
}

async function describe(response: Response, maxBytes: number): Promise<RemoteJson> {
  const { status } = response
  if (response.type === 'opaqueredirect' || (status >= 300 && status < 400)) {
    await response.body?.cancel()
    return { status, value: undefined, problem: 'answered with a redirect' }
  }
  let bytes = 0
  const bounded = response.body?.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(part, controller) {
        bytes += part.byteLength
        if (bytes > maxBytes) controller.terminate()
        else controller.enqueue(part)
      },
    }),
  )
  const value = await parse(new Response(bounded))
  if (bytes > maxBytes) return { status: 0, value: undefined, problem: 'answered with too much' }
  if (response.ok && value !== undefined) return { status, value }
  const instead = value === undefined ? ' with something that is not JSON' : ''
  return { status, value, problem: `answered ${String(status)}${instead}` }
}

async function parse(response: Response): Promise<unknown> {
  try {
    return await response.json()
  } catch {
    return undefined
  }
}
