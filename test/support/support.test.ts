import { expect, test } from 'vitest'
import { assertWire, call, fakeClock, legacy, modern } from './index.ts'

const serverInfo = { 'io.modelcontextprotocol/serverInfo': { name: 's', version: '1' } }

function answering(result: unknown): (request: Request) => Promise<Response> {
  return async () =>
    new Response(JSON.stringify({ jsonrpc: '2.0', id: 1, result }), {
      headers: { 'content-type': 'application/json' },
    })
}

test('a right result passes the schema of its revision', async () => {
  const result = { resultType: 'complete', content: [], structuredContent: null, _meta: serverInfo }
  const answer = await call(answering(result), modern('tools/call', { name: 'x' }))
  expect(answer.result).toEqual(result)
})

test('a result without resultType fails on the modern wire and passes on the legacy one', async () => {
  const handler = answering({ content: [{ type: 'text', text: 'hi' }] })
  await expect(call(handler, modern('tools/call', { name: 'x' }))).rejects.toThrow(/resultType/)
  const answer = await call(handler, legacy('tools/call', { name: 'x' }))
  expect(answer.form).toBe('json')
})

test.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'])(
  'the schema of %s is at hand and refuses a tool without a name',
  (revision) => {
    expect(() => assertWire(revision, 'Tool', { inputSchema: { type: 'object' } })).toThrow(/name/)
    assertWire(revision, 'Tool', { name: 'x', inputSchema: { type: 'object' } })
  },
)

test('events of a stream arrive one by one and are checked', async () => {
  const progress = { progressToken: 'p', progress: 1 }
  const frames = [
    { jsonrpc: '2.0', method: 'notifications/progress', params: progress },
    { jsonrpc: '2.0', id: 1, result: {} },
  ].map((message) => `: hello\n\nevent: message\ndata: ${JSON.stringify(message)}\n\n`)
  const headers = { 'content-type': 'text/event-stream' }
  const answer = await call(
    async () => new Response(frames.join(''), { headers }),
    legacy('ping', {}),
  )
  expect(answer.form).toBe('sse')
  expect(answer.notifications).toHaveLength(1)
  expect(answer.result).toEqual({})
})

test('the clock runs timers in order and counts what is armed', async () => {
  const clock = fakeClock(0)
  const ran: string[] = []
  clock.setTimeout(() => ran.push(`b${clock.now()}`), 20)
  clock.setTimeout(() => {
    ran.push(`a${clock.now()}`)
    clock.setTimeout(() => ran.push(`c${clock.now()}`), 5)
  }, 10)
  const dropped = clock.setTimeout(() => ran.push('never'), 15)
  clock.clearTimeout(dropped)
  await clock.advance(18)
  expect(ran).toEqual(['a10', 'c15'])
  expect(clock.armed()).toBe(1)
  await clock.advance(2)
  expect(ran).toEqual(['a10', 'c15', 'b20'])
  expect(clock.now()).toBe(20)
})
