/**
 * The HTTP side of discovery: one document at a time, bounded, without redirects.
 *
 * @module
 */
import { MAX_OAUTH_BYTES, OAUTH_TIMEOUT_MS } from '../protocol/limits.ts'
import { remoteJson, type FetchLike, type RemoteJson } from '../shared/remote-json.ts'

/** The means of OAuth traffic. */
export interface OAuthHttp {
  readonly fetch: FetchLike
  /** Sent with documents besides `Accept`; each costs a preflight in a browser, and may fail there. */
  readonly headers?: Readonly<Record<string, string>> | undefined
  readonly signal?: AbortSignal | undefined
}

/** What a host answered when asked for a document; `value` is there only with a 200. */
export type DocumentAnswer = RemoteJson

/**
 * Fetches a metadata document.
 *
 * @param url where it should be
 * @param http the means
 */
export async function fetchDocument(url: string, http: OAuthHttp): Promise<DocumentAnswer> {
  const headers = { accept: 'application/json', ...http.headers }
  const answer = await send(url, http, { headers })
  if (answer.status === 200) return answer
  return { ...answer, value: undefined, problem: answer.problem ?? `answered ${answer.status}` }
}

/**
 * Posts a form or a JSON body to an endpoint.
 *
 * @param url the endpoint
 * @param http the means
 * @param init headers and body
 */
export function post(
  url: string,
  http: OAuthHttp,
  init: { readonly headers: Readonly<Record<string, string>>; readonly body: string },
): Promise<RemoteJson> {
  return send(url, http, { ...init, method: 'POST' })
}

function send(url: string, http: OAuthHttp, init: RequestInit): Promise<RemoteJson> {
  return remoteJson(url, {
    fetch: http.fetch,
    maxBytes: MAX_OAUTH_BYTES,
    timeoutMs: OAUTH_TIMEOUT_MS,
    signal: http.signal,
    init,
  })
}
