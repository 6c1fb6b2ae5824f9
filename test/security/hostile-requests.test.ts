/**
 * Requests as no honest client sends them.
 *
 * @module
 */
import { describe, expect, test } from 'vitest'
import { quiet, served } from '../http/served.ts'
import { rig } from '../http/session-rig.ts'
import { legacy, modern, read } from '../support/index.ts'

describe('the id of a refused request', () => {
  test('RPC-04 is repeated where a session is missing, unknown or somebody else’s', async () => {
    const { server } = quiet()
    const { handler, open } = rig(server, {
      allowedOrigins: ['https://a.example', 'https://b.example'],
      ownsSession: (request) => request.headers.get('x-owner') === 'me',
    })
    const client = await open({ headers: { origin: 'https://a.example', 'x-owner': 'me' } })
    const refusals = [
      [400, legacy('tools/list', {}, { id: 'a' })],
      [404, legacy('tools/list', {}, { id: 'a', session: 'made-up' })],
      [404, legacy('initialize', {}, { id: 'a', session: 'made-up' })],
      [403, client.request('tools/list', {}, { id: 'a', headers: { 'x-owner': 'you' } })],
      [
        403,
        client.request('tools/list', {}, { id: 'a', headers: { origin: 'https://b.example' } }),
      ],
    ] as const
    for (const [status, request] of refusals) {
      const answer = await read(await handler(request))
      expect([answer.status, answer.response?.['id']]).toEqual([status, 'a'])
      expect(answer.error?.['code']).toBe(-32600)
    }
  })

  test('RPC-04 is never changed: a number that JSON cannot carry exactly is refused', async () => {
    const { server } = quiet()
    const { handler } = served(server)
    const statusOf = async (id: string): Promise<number> => {
      const body = (await modern('server/discover').text()).replace('"id":1', `"id":${id}`)
      return (await handler(modern('server/discover', {}, { body }))).status
    }
    expect(await statusOf('9007199254740991')).toBe(200)
    expect(await statusOf('9007199254740993')).toBe(400)
    expect(await statusOf('1e21')).toBe(400)
    expect(await statusOf('"9007199254740993"')).toBe(200)
  })
})

test('HL-20 a request that names no host anywhere is refused, not failed', async () => {
  const { server, reported } = quiet()
  const { handler } = served(server)
  // Bun gives such a URL to an HTTP/1.0 request without a Host header.
  const request = new Proxy(modern('tools/list'), {
    get: (target, member) => {
      const value: unknown = Reflect.get(target, member, target)
      if (member === 'url') return '/mcp'
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
  expect((await handler(request)).status).toBe(403)
  expect(reported).toEqual([])
})
