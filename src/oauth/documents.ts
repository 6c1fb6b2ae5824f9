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

/**
 * Fetches a metadata document.
 *
 * @param url where it should be
 * @param http the means
 */
export function fetchDocument(url: string, http: OAuthHttp): Promise<RemoteJson> {
  return send(url, http, { headers: { accept: 'application/json', ...http.headers } })
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
