import { expect, test } from 'vitest'
import { corsHeaders, preflightResponse } from '../../src/http/cors.ts'

const ORIGIN = 'https://app.example'

function preflight(asked?: string) {
  const headers = asked === undefined ? {} : { 'access-control-request-headers': asked }
  const request = new Request('http://localhost/', { method: 'OPTIONS', headers })
  return preflightResponse(request, 'POST, OPTIONS', corsHeaders(ORIGIN)).headers
}

test('HL-15 the headers a client sends are allowed, mirrored arguments by their prefix', () => {
  const allowed = preflight('Mcp-Param-Region, x-evil').get('access-control-allow-headers')
  expect(allowed).toMatch(/authorization.*mcp-session-id.*last-event-id.*mcp-param-region$/)
  expect(preflight().get('access-control-allow-headers')).not.toContain('mcp-param')
})

test('the answer depends on who asks, and says so', () => {
  const headers = preflight()
  expect(headers.get('access-control-allow-origin')).toBe(ORIGIN)
  expect(headers.get('access-control-allow-credentials')).toBeNull()
  expect(headers.get('vary')).toBe('Origin, Access-Control-Request-Headers')
})

test('OPTIONS without a page behind it is answered without CORS', () => {
  const response = preflightResponse(
    new Request('http://localhost/', { method: 'OPTIONS' }),
    'POST',
    undefined,
  )
  expect([response.status, response.headers.get('allow')]).toEqual([204, 'POST'])
  expect(response.headers.get('access-control-allow-origin')).toBeNull()
})
