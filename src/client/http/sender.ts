/**
 * Sends one HTTP request to the server: headers in order of authority, authorization with its
 * challenges, and redirects that never leave the origin.
 *
 * @module
 */
import { EVENT_STREAM_TYPE, JSON_TYPE } from '../../protocol/constants.ts'
import { MAX_CHALLENGES, MAX_REDIRECTS } from '../../protocol/limits.ts'
import { abortable } from '../../shared/abort.ts'
import type { AuthProvider } from '../auth.ts'
import { ClientError, NetworkError, UnauthorizedError } from '../errors.ts'
import { discard } from './discard.ts'

/** Headers as `new Headers` takes them, spelled out because Node's types have no name for it. */
export type HeadersLike = Headers | Record<string, string> | [string, string][]

/** Headers of the application: fixed, or made anew for each request. */
export type HeadersSource = HeadersLike | (() => HeadersLike | Promise<HeadersLike>)

/** Performs a request, as `fetch` does. */
export type FetchRequest = (request: Request) => Response | Promise<Response>

/** Where requests go and what they carry. */
export interface SenderOptions {
  readonly url: string
  readonly fetch: FetchRequest
  readonly headers?: HeadersSource | undefined
  readonly auth?: AuthProvider | undefined
}

/** One request. */
export interface Outgoing {
  readonly verb: 'POST' | 'GET' | 'DELETE'
  /** Names the request in errors. */
  readonly name: string
  readonly body?: string | undefined
  /** What the protocol demands; overrides the application's headers of the same name. */
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

/** Sends requests to one URL. */
export class Sender {
  readonly #options: SenderOptions

  constructor(options: SenderOptions) {
    this.#options = options
  }

  /**
   * Sends a request. The answer may have any status but 401, a redirect, or a 403 with a challenge.
   *
   * @param outgoing what to send
   * @throws {UnauthorizedError} when authorization is refused
   * @throws {ClientError} for a redirect to another origin, or too many
   */
  async send(outgoing: Outgoing): Promise<Response> {
    for (let attempt = 1; ; attempt += 1) {
      const sent = await this.#credentials(outgoing.signal)
      const response = await this.#follow(outgoing, await this.#headers(outgoing, sent))
      if (response.status !== 401 && response.status !== 403) return response
      const next = await this.#challenged(response, { outgoing, sent, attempt })
      if (next !== 'retry') return next
    }
  }

  async #credentials(signal: AbortSignal): Promise<Readonly<Record<string, string>>> {
    const { auth, url } = this.#options
    return auth === undefined ? {} : auth.headers({ url, signal })
  }

  async #headers(
    outgoing: Outgoing,
    credentials: Readonly<Record<string, string>>,
  ): Promise<Headers> {
    const { headers: source } = this.#options
    const headers = new Headers(typeof source === 'function' ? await source() : source)
    if (!headers.has('accept')) headers.set('accept', accepted(outgoing.verb))
    if (outgoing.body !== undefined) headers.set('content-type', JSON_TYPE)
    for (const [name, value] of Object.entries(credentials)) headers.set(name, value)
    for (const [name, value] of Object.entries(outgoing.headers)) headers.set(name, value)
    return headers
  }

  async #follow(outgoing: Outgoing, headers: Headers): Promise<Response> {
    const { verb: method, body, signal, name } = outgoing
    const { origin } = new URL(this.#options.url)
    let url = this.#options.url
    for (let hops = 0; hops <= MAX_REDIRECTS; hops += 1) {
      const init: RequestInit = { method, headers, signal, redirect: 'manual' }
      const request = new Request(url, body === undefined ? init : { ...init, body })
      const response = await this.#fetch(request, outgoing)
      if (!isRedirect(response)) return response
      discard(response)
      url = redirected(response, { url, origin, name, verb: method })
    }
    throw new ClientError(`${name} was redirected more than ${MAX_REDIRECTS} times`, {
      method: name,
    })
  }

  async #fetch(request: Request, { name, signal }: Outgoing): Promise<Response> {
    try {
      return await abortable(signal, Promise.resolve(this.#options.fetch(request)))
    } catch (cause) {
      signal.throwIfAborted()
      throw new NetworkError(name, cause)
    }
  }

  async #challenged(
    response: Response,
    refused: {
      readonly outgoing: Outgoing
      readonly sent: Readonly<Record<string, string>>
      readonly attempt: number
    },
  ): Promise<Response | 'retry'> {
    const { auth, url } = this.#options
    const { outgoing, sent, attempt } = refused
    const status = response.status === 401 ? 401 : 403
    const wwwAuthenticate = response.headers.get('www-authenticate')
    // A 403 without a challenge is about something else, such as the origin; its body may say what.
    if (status === 403 && wwwAuthenticate === null) return response
    discard(response)
    if (auth !== undefined && attempt <= MAX_CHALLENGES) {
      const { signal } = outgoing
      const challenge = { url, signal, status, wwwAuthenticate, sent, attempt } as const
      if ((await auth.challenge(challenge)) === 'retry') return 'retry'
    }
    throw new UnauthorizedError(outgoing.name, status, wwwAuthenticate)
  }
}

function accepted(verb: Outgoing['verb']): string {
  return verb === 'GET' ? EVENT_STREAM_TYPE : `${JSON_TYPE}, ${EVENT_STREAM_TYPE}`
}

/** A browser hides the status and the place of a redirect that it was told not to follow. */
function isRedirect(response: Response): boolean {
  if (response.type === 'opaqueredirect') return true
  return response.status >= 300 && response.status < 400 && response.status !== 304
}

interface Hop {
  readonly url: string
  readonly origin: string
  readonly name: string
  readonly verb: Outgoing['verb']
}

function redirected(response: Response, hop: Hop): string {
  const { name: method } = hop
  const location = response.headers.get('location')
  if (location === null || !URL.canParse(location, hop.url))
    throw new ClientError(`${method} was redirected to an unknown place`, { method })
  const target = new URL(location, hop.url)
  if (target.origin !== hop.origin)
    throw new ClientError(`${method} was redirected to another origin: ${target.origin}`, {
      method,
    })
  // Other redirects turn a POST into a GET, which is another request altogether.
  if (hop.verb === 'POST' && response.status !== 307 && response.status !== 308)
    throw new ClientError(
      `${method} was redirected with HTTP ${response.status}, which drops its body`,
      { method },
    )
  return target.href
}
