import { describe, expect, it } from 'vitest'
import { Peer } from '../../src/rpc/peer.ts'
import { LineOutbox } from '../../src/stdio/line-outbox.ts'
import { fakeClock, settle } from '../support/clock.ts'

function open(asks = true) {
  const written: unknown[] = []
  const write = async (text: string): Promise<void> => void written.push(JSON.parse(text))
  const clock = fakeClock()
  const ignore = (): void => undefined
  const handlers = { request: ignore, notification: ignore, invalid: ignore }
  const peer = asks ? new Peer({ send: write }, handlers, { clock }) : undefined
  return { outbox: new LineOutbox({ write, peer, timeoutMs: 100 }), written, clock }
}

describe('LineOutbox', () => {
  it('IO-07 says nothing after a cancellation', async () => {
    const { outbox, written } = open()
    await outbox.notify('{"n":1}')
    outbox.cancel(new Error('bored'))
    expect(outbox.notify('{"n":2}')).toBeUndefined()
    expect([written, outbox.cancelled, outbox.signal.aborted]).toEqual([[{ n: 1 }], true, true])
  })

  it('IO-06 cannot ask where nobody may be asked', () => {
    expect(open(false).outbox.request).toBeUndefined()
  })

  it('withdraws a question when its time is over, and when its call is cancelled', async () => {
    const { outbox, written, clock } = open()
    const late = outbox.request?.({ method: 'q', params: {} })
    const failing = expect(late).rejects.toThrow('100 ms')
    await clock.advance(100)
    await failing
    const cut = outbox.request?.({ method: 'q', params: {}, timeoutMs: Number.POSITIVE_INFINITY })
    outbox.cancel(new Error('bored'))
    await expect(cut).rejects.toThrow('bored')
    await settle()
    const cancelled = { jsonrpc: '2.0', method: 'notifications/cancelled' }
    expect(written).toEqual([
      { jsonrpc: '2.0', id: 1, method: 'q', params: {} },
      { ...cancelled, params: { requestId: 1, reason: 'q was not answered within 100 ms' } },
      { jsonrpc: '2.0', id: 2, method: 'q', params: {} },
      { ...cancelled, params: { requestId: 2, reason: 'bored' } },
    ])
    expect(clock.armed()).toBe(0)
  })
})
