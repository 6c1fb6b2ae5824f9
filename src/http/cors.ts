/**
 * CORS for the origins that the Origin guard lets pass.
 *
 * @see https://fetch.spec.whatwg.org/#http-cors-protocol
 * @module
 */
import { PARAM_HEADER_PREFIX } from '../protocol/constants.ts'
import { emptyResponse } from './responses.ts'
import type { ExtraHeaders } from './responses.ts'

const EXPOSED = 'mcp-session-id, mcp-protocol-version, www-authenticate, retry-after'
const REQUEST_HEADERS = [
  'content-type',
  'accept',
  'authorization',
  'mcp-protocol-version',
  'mcp-session-id',
  'last-event-id',
  'mcp-method',
  'mcp-name',
]
/** Seconds a browser may keep the answer to a preflight; browsers cap it lower themselves. */
const PREFLIGHT_SECONDS = '7200'

/**
 * The headers that let a browser's page read a response.
 *
 * @param origin the page's origin, which the Origin guard has let pass
 */
export function corsHeaders(origin: string): ExtraHeaders {
  return {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': EXPOSED,
    vary: 'Origin',
  }
}

/**
 * Answers a preflight. Mirrored-argument headers cannot be listed in advance, so those asked for are
 * allowed by their prefix.
 *
 * @param request the OPTIONS request
 * @param methods the methods that are served
 * @param cors the headers of {@link corsHeaders}; undefined when no page asks
 */
export function preflightResponse(request: Request, methods: string, cors: ExtraHeaders): Response {
  if (cors === undefined) return emptyResponse(204, { allow: methods })
  const asked = request.headers.get('access-control-request-headers') ?? ''
  const mirrored = asked
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter(
      (name) => name.startsWith(PARAM_HEADER_PREFIX) && /^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name),
    )
  return emptyResponse(204, {
    ...cors,
    allow: methods,
    'access-control-allow-methods': methods,
    'access-control-allow-headers': [...REQUEST_HEADERS, ...mirrored].join(', '),
    'access-control-max-age': PREFLIGHT_SECONDS,
    vary: 'Origin, Access-Control-Request-Headers',
  })
}
