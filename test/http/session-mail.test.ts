import { describe, expect, test } from 'vitest'
import { readSessionMessage, sessionMail } from '../../src/http/session-mail.ts'
import { memoryBus } from '../../src/stores/memory-bus.ts'
import { memorySessions } from '../../src/stores/memory-sessions.ts'
import { storeWith } from './session-parts.ts'

describe('sessionMail', () => {
  const store = memorySessions()

  test('is what the store has of its own', () => {
    const mail = { send: async () => undefined, receive: () => undefined }
    expect(sessionMail(storeWith({ mail }), memoryBus())).toBe(mail)
  })

  test('goes over the bus else: to its session, in order, as text, until the signal', async () => {
    const bus = memoryBus()
    const mail = sessionMail(store, bus)
    const heard: string[] = []
    const controller = new AbortController()
    await mail?.receive('a', (message) => void heard.push(message), controller.signal)
    await mail?.send('a', '1')
    await mail?.send('b', 'of another')
    await bus.publish({ topic: 'session/a', data: { no: 'text' } })
    await mail?.send('a', '2')
    controller.abort()
    await mail?.send('a', 'late')
    expect(heard).toEqual(['1', '2'])
  })

  test('there is none without a bus, nor for sessions that cannot change', () => {
    expect(sessionMail(store, undefined)).toBeUndefined()
    const traits = { mutable: false, consistent: true, mail: false }
    expect(sessionMail(storeWith({ traits }), memoryBus())).toBeUndefined()
  })
})

describe('readSessionMessage', () => {
  const response = { jsonrpc: '2.0', id: 1, result: {} }

  test.each([
    { kind: 'answer', response },
    { kind: 'cancel', requestId: 'x' },
    { kind: 'cancel', requestId: 1, reason: 'r' },
    { kind: 'takeover', stream: 's', holder: 'h', at: 1 },
    { kind: 'event', stream: 's', data: '', final: true },
    { kind: 'event', stream: 's', id: 'i', data: 'd', final: false },
    { kind: 'hangup', stream: 's' },
    {
      kind: 'patch',
      patch: { logLevel: 'info', subscribe: 'a', unsubscribe: 'b', initialized: true },
    },
    { kind: 'patch', patch: {} },
    { kind: 'elicitation', elicitationId: 'e' },
    { kind: 'end' },
    { kind: 'end', more: 'of a later version' },
  ])('reads %j', (message) => {
    expect(readSessionMessage(JSON.stringify(message))).toEqual(message)
  })

  test.each([
    { kind: 'answer', response: { id: 1, result: {} } },
    { kind: 'cancel', requestId: null },
    { kind: 'cancel', requestId: 1, reason: 7 },
    { kind: 'takeover', stream: 's', holder: 'h' },
    { kind: 'event', stream: 's', data: 'd' },
    { kind: 'event', stream: 's', data: 'd', final: 'no' },
    { kind: 'event', stream: 's', data: 7, final: true },
    { kind: 'hangup' },
    { kind: 'patch', patch: { logLevel: 'loud' } },
    { kind: 'patch', patch: { subscribe: 7 } },
    { kind: 'patch', patch: { initialized: 'yes' } },
    { kind: 'patch' },
    { kind: 'elicitation' },
    { kind: 'toString' },
    {},
    [],
    null,
    'end',
  ])('does not understand %j', (message) => {
    expect(readSessionMessage(JSON.stringify(message))).toBeUndefined()
  })

  test('nor what is no JSON', () => {
    expect(readSessionMessage('{"kind":"end"')).toBeUndefined()
  })
})
