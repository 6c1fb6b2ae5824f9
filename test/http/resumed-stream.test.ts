import { expect, test } from 'vitest'
import { ResumedStream } from '../../src/http/resumed-stream.ts'
import { sessionParts, textOf } from './session-parts.ts'

function resumed(streamBytes = 1_000) {
  const { sessions } = sessionParts({ limits: { streamBytes } })
  return new ResumedStream(sessions, sessions.live('s'), { stream: 'x', auth: undefined })
}

function event(data: string, more: object = {}) {
  return { kind: 'event', stream: 'x', id: data, data, final: false, ...more } as const
}

test('what was missed comes first, then what arrived meanwhile, each once', async () => {
  const stream = resumed()
  stream.receive(event('2'))
  stream.receive(event('3'))
  stream.receive(event('4', { id: undefined }))
  stream.receive(event('of another stream', { stream: 'y' }))
  stream.start('MISSED 1 AND 2\n\n', new Set(['1', '2']))
  stream.receive(event('5', { final: true }))
  stream.receive(event('too late'))
  const text = await textOf(stream.sse)
  expect(text).toMatch(/^: keepalive\n\nMISSED 1 AND 2\n\n/)
  expect([...text.matchAll(/data: (.*)/g)].map(([, data]) => data)).toEqual(['3', '4', '5'])
})

test('a final event without anything to say only ends it', async () => {
  const stream = resumed()
  stream.start('', new Set())
  stream.receive(event('', { id: undefined, final: true }))
  expect(await textOf(stream.sse)).toBe(': keepalive\n\n')
})

test('hangs up when whoever runs the call says so, and asks the client back', async () => {
  const stream = resumed()
  stream.start('', new Set())
  stream.receive({ kind: 'hangup', stream: 'y' })
  expect(stream.open).toBe(true)
  stream.receive({ kind: 'hangup', stream: 'x' })
  expect(stream.open).toBe(false)
  expect(await textOf(stream.sse)).toMatch(/\nretry: \d+\n/)
})

test('a reader too slow is sent away, to find the rest when it comes back', async () => {
  const stream = resumed(50)
  stream.start('', new Set())
  stream.receive(event('1'.repeat(50)))
  stream.receive(event('2'))
  expect(stream.open).toBe(false)
  expect(await textOf(stream.sse)).not.toContain('data: 2')
})
