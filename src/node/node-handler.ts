/**
 * The bridge from `node:http` to a fetch handler.
 *
 * @module
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2'
import { getRequestListener } from '@hono/node-server'

/** A request as Node gives it, over HTTP/1 or HTTP/2. */
type Incoming = IncomingMessage | Http2ServerRequest

/** An answer as Node takes it, over HTTP/1 or HTTP/2. */
type Outgoing = ServerResponse | Http2ServerResponse

/** What the bridge calls: `createHandler(server)`. */
type Fetch = (request: Request) => Promise<Response>

/**
 * A listener for `node:http`, Express and Fastify.
 *
 * A framework that has read the body already leaves it in `incoming.body` (Express), or the caller hands it over as
 * the third argument (Fastify). A function there is Express's `next` and is not called: every request is answered.
 */
export type NodeHandler = (incoming: Incoming, outgoing: Outgoing, parsedBody?: unknown) => void

/**
 * Turns a fetch handler into a listener for `node:http`, for example `app.all('/mcp', toNodeHandler(handler))`.
 *
 * A client that goes away aborts the request's signal and cancels the answer's stream; a slow one is waited for. The
 * path is not looked at, so it can be mounted anywhere. The globals `Request` and `Response` stay as they are, since
 * the process belongs to somebody else's application.
 *
 * @param handler What answers, from `createHandler`.
 */
export function toNodeHandler(handler: Fetch): NodeHandler {
  return (incoming, outgoing, parsedBody) => {
    const body = typeof parsedBody === 'function' ? undefined : parsedBody
    const listener = getRequestListener((request) => handler(withBody(request, incoming, body)), {
      overrideGlobalObjects: false,
    })
    void listener(incoming, outgoing)
  }
}

/** Gives a request its body back when a framework has consumed the stream. */
function withBody(request: Request, incoming: Incoming, handed: unknown): Request {
  const parsed = handed ?? consumedBody(incoming)
  if (parsed === undefined || request.method === 'GET' || request.method === 'HEAD') return request
  const headers = new Headers(request.headers)
  headers.delete('content-length')
  headers.delete('transfer-encoding')
  const { method, signal } = request
  return new Request(request.url, { method, headers, signal, body: serialize(parsed) })
}

/** Express leaves `{}` behind a body it did not read, so only a stream that was read counts. */
function consumedBody(incoming: Incoming): unknown {
  return incoming.readableDidRead && 'body' in incoming ? incoming.body : undefined
}

function serialize(parsed: unknown): string | Uint8Array<ArrayBuffer> {
  if (typeof parsed === 'string') return parsed
  if (parsed instanceof Uint8Array) return new Uint8Array(parsed)
  return JSON.stringify(parsed)
}
