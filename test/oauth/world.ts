/**
 * A scripted world: an MCP server that wants tokens, authorization servers, and whatever else a test
 * puts there. Nothing listens; everything is one `fetch`.
 *
 * @module
 */
import type { AuthChallenge } from '../../src/client/auth.ts'
import { OAuthError, type OAuthProvider } from '../../src/oauth/index.ts'
import type { FetchLike } from '../../src/shared/remote-json.ts'

export const SERVER = 'https://mcp.example.com/api/mcp'
export const ISSUER = 'https://as.example.com'
export const REDIRECT = 'http://127.0.0.1:8765/callback'
const PRM = 'https://mcp.example.com/.well-known/oauth-protected-resource/api/mcp'

export interface Call {
  readonly url: string
  readonly method: string
  readonly headers: Headers
  readonly form: URLSearchParams
  readonly body: string
}

export type Reply = (call: Call) => Response | Promise<Response>

export interface World {
  readonly fetch: FetchLike
  readonly calls: Call[]
  /** What stands at each URL. */
  readonly routes: Map<string, Reply>
  /** The calls of one URL. */
  to(url: string): readonly Call[]
}

export function json(value: unknown, status = 200): Reply {
  return () => Response.json(value, { status })
}

export function serverMetadata(issuer: string, more: object = {}): object {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    registration_endpoint: `${issuer}/register`,
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
    authorization_response_iss_parameter_supported: true,
    ...more,
  }
}

export function resourceMetadata(issuer: string, more: object = {}): object {
  return { resource: SERVER, authorization_servers: [issuer], ...more }
}

let serial = 0

/** Token endpoints that hand out numbered tokens. */
export function tokens(more: object = {}): Reply {
  return () => {
    serial += 1
    return Response.json({ access_token: `token-${String(serial)}`, token_type: 'Bearer', ...more })
  }
}

export function addIssuer(world: World, issuer: string, more: object = {}): void {
  const { origin, pathname } = new URL(issuer)
  const path = pathname.replace(/\/$/, '')
  world.routes.set(
    `${origin}/.well-known/oauth-authorization-server${path}`,
    json(serverMetadata(issuer, more)),
  )
  world.routes.set(`${issuer}/register`, ({ body }) => {
    const { redirect_uris } = JSON.parse(body)
    return Response.json({ client_id: `client of ${issuer}`, redirect_uris }, { status: 201 })
  })
  world.routes.set(`${issuer}/token`, tokens({ expires_in: 3600, refresh_token: 'refresh-1' }))
}

export function createWorld(): World {
  const calls: Call[] = []
  const routes = new Map<string, Reply>()
  const world: World = {
    calls,
    routes,
    to: (url) => calls.filter((call) => call.url === url),
    async fetch(url, init) {
      const request = new Request(url, init)
      const body = await request.text()
      const { method, headers } = request
      const call = { url, method, headers, body, form: new URLSearchParams(body) }
      calls.push(call)
      const reply = routes.get(url)
      return reply === undefined ? new Response('not found', { status: 404 }) : reply(call)
    },
  }
  routes.set(PRM, json(resourceMetadata(ISSUER)))
  addIssuer(world, ISSUER)
  return world
}

/** A user agent that is sent to `/authorize` and comes straight back. */
export function signIn(
  seen: URL[] = [],
  answer: (url: URL) => Record<string, string | undefined> = () => ({}),
) {
  return (url: URL): URLSearchParams => {
    seen.push(url)
    const all: Record<string, string | undefined> = {
      code: 'the-code',
      state: url.searchParams.get('state') ?? '',
      iss: url.origin,
      ...answer(url),
    }
    const params = new URLSearchParams()
    for (const [name, value] of Object.entries(all))
      if (value !== undefined) params.set(name, value)
    return params
  }
}

/** What the HTTP transport does with a provider: headers, and a challenge for each refusal. */
export async function refuse(
  provider: OAuthProvider,
  challenge: Partial<AuthChallenge> = {},
): Promise<'retry' | 'fail'> {
  const url = challenge.url ?? SERVER
  const signal = challenge.signal ?? new AbortController().signal
  const sent = challenge.sent ?? (await provider.headers({ url, signal }))
  const all = { status: 401, wwwAuthenticate: 'Bearer', attempt: 1 } as const
  return provider.challenge({ ...all, ...challenge, url, signal, sent })
}

export async function token(provider: OAuthProvider, url = SERVER): Promise<string | undefined> {
  const headers = await provider.headers({ url, signal: new AbortController().signal })
  return headers['authorization']
}

/** What work fails with. */
export async function failure(work: Promise<unknown>): Promise<OAuthError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof OAuthError)) throw new Error(`no OAuthError: ${String(error)}`)
  return error
}
