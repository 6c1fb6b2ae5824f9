/**
 * How a command-line program lets its user sign in: it opens the browser, and a server that lives for
 * that one sign-in takes what comes back.
 *
 * @see https://www.rfc-editor.org/rfc/rfc8252#section-7.3
 * @module
 */
import { spawn } from 'node:child_process'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { AUTHORIZATION_TTL_MS } from '../protocol/limits.ts'
import { OAuthError } from '../oauth/errors.ts'

/** Where the callback is taken, and how the page is opened. */
export interface LoopbackCallbackOptions {
  /** A fixed port, because a registration names it; 8976 by default. */
  readonly port?: number | undefined
  /** `/callback` by default. */
  readonly path?: string | undefined
  /** Opens the page; the default tells the URL on stderr and starts the platform's browser. */
  readonly open?: ((url: URL) => void | Promise<void>) | undefined
  /** Milliseconds the user has; ten minutes by default. */
  readonly timeoutMs?: number | undefined
}

/** Two options of `authorizationCode`: spread them into it. */
export interface LoopbackCallback {
  readonly redirectUri: string
  readonly authorize: (url: URL) => Promise<URLSearchParams>
}

const DEFAULT_PORT = 8976
const PAGE =
  '<!doctype html><meta charset="utf-8"><title>Signed in</title><p>You can close this page.'

/**
 * Makes the sign-in of a command-line program.
 *
 * @param options where the callback is taken, and how the page is opened
 * @throws {TypeError} for a port that cannot be named in advance.
 */
export function loopbackCallback(options: LoopbackCallbackOptions = {}): LoopbackCallback {
  const { port = DEFAULT_PORT, path = '/callback', open = openBrowser } = options
  const { timeoutMs = AUTHORIZATION_TTL_MS } = options
  if (!Number.isInteger(port) || port < 1 || port > 65_535) {
    throw new TypeError('port: has to be a fixed port from 1 to 65535')
  }
  const redirectUri = `http://127.0.0.1:${String(port)}${path}`
  async function authorize(url: URL): Promise<URLSearchParams> {
    const callback = Promise.withResolvers<URLSearchParams>()
    const state = url.searchParams.get('state')
    const server = createServer((request, response) => {
      answer({ request, response, redirectUri, state, take: callback.resolve })
    })
    const timer = setTimeout(() => {
      callback.reject(new OAuthError('authorization', 'Nobody came back from the sign-in in time'))
    }, timeoutMs)
    try {
      await listen(server, port)
      const [params] = await Promise.all([callback.promise, open(url)])
      return params
    } finally {
      clearTimeout(timer)
      server.close()
      server.closeIdleConnections()
    }
  }
  return { redirectUri, authorize }
}

interface Visit {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly redirectUri: string
  readonly state: string | null
  readonly take: (params: URLSearchParams) => void
}

/** Any page can send a browser here; only a visit that knows the state is the callback. */
function answer({ request, response, redirectUri, state, take }: Visit): void {
  const expected = new URL(redirectUri)
  const url = new URL(request.url ?? '/', redirectUri)
  const isHere = request.headers.host === expected.host && url.pathname === expected.pathname
  const isCallback = isHere && request.method === 'GET' && url.searchParams.get('state') === state
  response.setHeader('connection', 'close')
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.setHeader('referrer-policy', 'no-referrer')
  if (!isCallback) {
    response.writeHead(404).end()
    return
  }
  response.end(PAGE, () => {
    take(url.searchParams)
  })
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => {
      const message = `Port ${String(port)} for the sign-in cannot be opened: give another port`
      reject(new OAuthError('authorization', message, { cause }))
    })
    server.listen(port, '127.0.0.1', resolve)
  })
}

function openBrowser(url: URL): void {
  process.stderr.write(`Sign in at ${url.href}\n`)
  const [command, ...args] = browserCommand()
  // The URL is one argument of a program, never text for a shell.
  const child = spawn(command, [...args, url.href], { stdio: 'ignore', detached: true })
  child.once('error', () => {
    // Without a browser here the user follows the printed URL.
  })
  child.unref()
}

function browserCommand(): readonly [string, ...string[]] {
  if (process.platform === 'darwin') return ['open']
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  return ['xdg-open']
}
