/**
 * What sessions must not get wrong beside their own wire: guards, revisions, logs, and what they leave
 * in memory.
 */
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import type { AuthInfo } from '../../src/protocol/auth-info.ts'
import { UrlElicitationRequiredError } from '../../src/protocol/errors.ts'
import { ENDPOINT, legacy, modern, read, settle } from '../support/index.ts'
import { everything, quiet } from './served.ts'
import { Reader, rig } from './session-rig.ts'

describe('guards', () => {
  test('LH-28 an untrusted host is 403, loopback names pass on any port', async () => {
    const { handler } = rig(everything())
    const at = (url: string) => handler(legacy('initialize', {}, { url }))
    for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.1.nip.io']) {
      expect((await at(`http://${host}/mcp`)).status).toBe(403)
    }
    for (const host of ['localhost', 'localhost:8080', '127.0.0.1:1', '[::1]:3000']) {
      expect((await at(`http://${host}/mcp`)).status).toBe(200)
    }
  })

  test.each(['null', 'file://', 'https://evil.example/path', 'https://evil.example', 'x'])(
    'LH-29 the origin %s is 403, on every verb',
    async (origin) => {
      const { open, handler } = rig(everything())
      const client = await open()
      expect((await handler(legacy('initialize', {}, { headers: { origin } }))).status).toBe(403)
      expect((await client.get({ origin })).status).toBe(403)
      expect((await client.delete({ origin })).status).toBe(403)
    },
  )

  test('LH-35 HL-18 without sessions there is no header, and GET and DELETE are 405', async () => {
    const { handler } = rig(everything(), { legacy: 'stateless' })
    const hello = await handler(legacy('initialize'))
    expect(hello.headers.has('mcp-session-id')).toBe(false)
    for (const method of ['GET', 'DELETE']) {
      const headers = { accept: 'text/event-stream' }
      const response = await handler(new Request(ENDPOINT, { method, headers }))
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, OPTIONS'])
    }
  })

  test('a GET stream ends with the token that opened it, and with its maximum age', async () => {
    const authenticate = (): AuthInfo => ({ subject: 'ann', scopes: [], expiresAt: 1_060 })
    const token = rig(everything(), { authenticate })
    const stream = new Reader(await (await token.open()).get())
    const reading = stream.rest()
    await token.clock.advance(60_000)
    expect((await reading).filter(({ kind }) => kind === 'event')).toEqual([])
    const aged = rig(everything(), { limits: { maxStreamAgeMs: 30_000 } })
    const other = new Reader(await (await aged.open()).get()).rest()
    await aged.clock.advance(30_000)
    await other
    for (const { handler, clock } of [token, aged]) {
      expect(handler.stats()).toMatchObject({ streams: 0, sessions: 0 })
      expect(clock.armed()).toBe(0)
    }
  })
})

describe('revisions', () => {
  test('LC-17 LC-19 a page is not asked for where the revision or the client has none', async () => {
    const { server } = quiet()
    server.method('acme/visit', {}, async (_input, ctx) => {
      await ctx.elicitUrl('pay', { message: 'Pay', url: 'https://pay.example' })
    })
    const { open } = rig(server)
    const both = { elicitation: { form: {}, url: {} } }
    const old = await open({ revision: '2025-06-18', capabilities: both })
    expect((await old.ask('acme/visit')).error).toMatchObject({ code: -32600 })
    const forms = await open({ capabilities: { elicitation: {} } })
    expect((await forms.ask('acme/visit')).error).toMatchObject({ code: -32600 })
  })

  test('LC-17 a 2025-06-18 form has nothing newer in it', async () => {
    const { server } = quiet()
    server.method('acme/ask', {}, async (_input, ctx) => {
      const schema = z.object({ age: z.number().default(5) })
      await ctx.elicit('age', { message: 'Age?', schema })
    })
    const client = await rig(server).open({
      revision: '2025-06-18',
      capabilities: { elicitation: {} },
    })
    const stream = new Reader(await client.send('acme/ask'))
    const question = await stream.message()
    expect(JSON.stringify(question['params'])).not.toMatch(/default|mode|\$schema/)
    await client.delete()
  })

  test('LC-18 the refusal that sends the user to a page names it', async () => {
    const { server } = quiet()
    server.tool('closed', {}, () => {
      throw new UrlElicitationRequiredError([
        { url: 'https://pay.example/2', message: 'Pay', elicitationId: 'page-2' },
      ])
    })
    const client = await rig(server).open({ capabilities: { elicitation: { url: {} } } })
    expect((await client.tool('closed')).error).toEqual({
      code: -32042,
      message: expect.any(String),
      data: {
        elicitations: [
          { mode: 'url', url: 'https://pay.example/2', message: 'Pay', elicitationId: 'page-2' },
        ],
      },
    })
  })
})

describe('logs of the modern wire', () => {
  function logging() {
    const { server } = quiet()
    server.tool('log', {}, (_input, ctx) => {
      ctx.log.debug('fine')
      ctx.log.error('bad')
      return 'logged'
    })
    return rig(server)
  }
  const level = (name: string) => ({ meta: { 'io.modelcontextprotocol/logLevel': name } })
  const call = { name: 'log', arguments: {} }

  test('CX-04 none without a level, whatever a session has set', async () => {
    const { handler, open } = logging()
    await (await open()).ask('logging/setLevel', { level: 'debug' })
    const answer = await read(await handler(modern('tools/call', call)))
    expect(answer.notifications).toEqual([])
  })

  test('CX-05 by level, on the stream of the call, before the answer', async () => {
    const { handler } = logging()
    const answer = await read(await handler(modern('tools/call', call, level('error'))))
    expect(answer.messages).toMatchObject([{ params: { level: 'error', data: 'bad' } }, { id: 1 }])
  })

  test('CX-06 an unknown level is -32602', async () => {
    const { handler } = logging()
    const answer = await read(await handler(modern('tools/call', call, level('loud'))))
    expect(answer.error).toMatchObject({ code: -32602 })
  })

  test('CX-07 logging is declared on both wires', async () => {
    const { handler } = logging()
    const found = await read(await handler(modern('server/discover')))
    const hello = await read(await handler(legacy('initialize')))
    for (const { result } of [found, hello]) {
      expect(result).toMatchObject({ capabilities: { logging: {} } })
    }
  })
})

describe('memory', () => {
  test('100 000 times initialize leave the heap within 16 MiB', { timeout: 240_000 }, async () => {
    setFlagsFromString('--expose-gc')
    const gc: unknown = runInNewContext('gc')
    if (typeof gc !== 'function') throw new Error('no collector to call')
    const { handler } = rig(everything())
    const hello = async () => (await handler(legacy('initialize'))).status
    for (let warm = 0; warm < 200; warm += 1) await hello()
    const used = async () => {
      for (let round = 0; round < 3; round += 1) {
        await settle()
        gc()
      }
      return process.memoryUsage().heapUsed
    }
    const before = await used()
    const statuses = new Set<number>()
    for (let count = 0; count < 100_000; count += 1) statuses.add(await hello())
    expect(statuses).toEqual(new Set([200, 503]))
    expect((await used()) - before).toBeLessThan(16 * 1024 * 1024)
    expect(handler.stats().sessions).toBe(0)
  })
})
