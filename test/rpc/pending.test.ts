import { describe, expect, it, vi } from 'vitest'
import { McpError } from '../../src/protocol/errors.ts'
import { ConnectionClosedError, RequestTimeoutError } from '../../src/rpc/errors.ts'
import { PendingRequests } from '../../src/rpc/pending.ts'
import { fakeClock } from '../support/clock.ts'

const result = (id: string | number, value = {}) => ({ jsonrpc: '2.0' as const, id, result: value })

function table() {
  const clock = fakeClock()
  return { clock, pending: new PendingRequests({ clock }) }
}

describe('PendingRequests', () => {
  it('RPC-25 counts its own ids and settles each with its own answer', async () => {
    const { pending } = table()
    const first = pending.open({ method: 'a' })
    const second = pending.open({ method: 'b' })
    expect([first.id, second.id]).toEqual([1, 2])
    expect(pending.settle(result(2, { of: 'b' }))).toBe(true)
    expect(pending.settle(result(1, { of: 'a' }))).toBe(true)
    await expect(first.answer).resolves.toEqual({ of: 'a' })
    await expect(second.answer).resolves.toEqual({ of: 'b' })
    expect(pending.size).toBe(0)
  })

  it('CX-12 ignores answers that nobody waits for, and ids of another type', () => {
    const { pending } = table()
    pending.open({ method: 'a' })
    expect(pending.settle(result(7))).toBe(false)
    expect(pending.settle(result('1'))).toBe(false)
    expect(pending.settle({ jsonrpc: '2.0', error: { code: -32700, message: 'x' } })).toBe(false)
    expect(pending.settle(result(1))).toBe(true)
    expect(pending.settle(result(1))).toBe(false)
  })

  it('rejects with the error of the peer, its code and data', async () => {
    const { pending } = table()
    const call = pending.open({ method: 'a' })
    pending.settle({ jsonrpc: '2.0', id: call.id, error: { code: -1, message: 'no', data: [1] } })
    const error = await call.answer.catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(McpError)
    expect(error).toMatchObject({ code: -1, message: 'no', data: [1] })
  })

  it('CX-11 times out, names the method, and abandons once', async () => {
    const { clock, pending } = table()
    const onAbandon = vi.fn<(id: unknown, reason: unknown) => void>()
    const call = pending.open({ method: 'tools/call', timeoutMs: 100, onAbandon })
    await clock.advance(99)
    expect(pending.has(call.id)).toBe(true)
    await clock.advance(1)
    await expect(call.answer).rejects.toThrow(RequestTimeoutError)
    await expect(call.answer).rejects.toThrow('tools/call was not answered within 100 ms')
    expect(onAbandon).toHaveBeenCalledTimes(1)
    expect(clock.armed()).toBe(0)
    expect(pending.settle(result(call.id))).toBe(false)
  })

  it('CX-11 progress starts the timeout anew, but not beyond the total', async () => {
    const { clock, pending } = table()
    const call = pending.open({
      method: 'm',
      timeoutMs: 100,
      resetOnProgress: true,
      maxTotalMs: 250,
    })
    for (const progress of [1, 2, 3]) {
      await clock.advance(80)
      expect(pending.progress({ progressToken: call.id, progress })).toBe(true)
    }
    await clock.advance(10)
    await expect(call.answer).rejects.toThrow('250 ms')
    expect(clock.armed()).toBe(0)
  })

  it('CX-08 drops reports that do not grow; CX-09 ignores those of nobody', () => {
    const { pending } = table()
    const onProgress = vi.fn<(update: unknown) => void>()
    const { id: token } = pending.open({ method: 'm', onProgress })
    for (const progress of [5, 5, 3, 6, Number.NaN])
      pending.progress({ progressToken: token, progress, total: 9, message: 'x' })
    expect(onProgress.mock.calls.map(([update]) => update)).toEqual([
      { progress: 5, total: 9, message: 'x' },
      { progress: 6, total: 9, message: 'x' },
    ])
    expect(pending.progress({ progressToken: 99, progress: 1 })).toBe(false)
    expect(pending.progress({ progress: 1 })).toBe(false)
    expect(pending.progress(null)).toBe(false)
  })

  it('CX-10 tokens 0 and "" work', () => {
    const ids = [0, '']
    const pending = new PendingRequests({ nextId: () => ids.shift() ?? 'x' })
    const seen: unknown[] = []
    for (const method of ['zero', 'empty'])
      pending.open({ method, onProgress: ({ progress }) => seen.push([method, progress]) })
    pending.progress({ progressToken: 0, progress: 1 })
    pending.progress({ progressToken: '', progress: 2 })
    expect(seen).toEqual([
      ['zero', 1],
      ['empty', 2],
    ])
  })

  it('CL-08 an abort rejects with its reason, whatever that is, and removes its listener', async () => {
    const { clock, pending } = table()
    const controller = new AbortController()
    const onAbandon = vi.fn<(id: unknown, reason: unknown) => void>()
    const { signal } = controller
    const call = pending.open({ method: 'm', signal, timeoutMs: 50, onAbandon })
    const other = pending.open({ method: 'm', signal })
    pending.settle(result(other.id))
    controller.abort(null)
    await expect(call.answer).rejects.toBe(null)
    expect(onAbandon).toHaveBeenCalledWith(call.id, null)
    expect(clock.armed()).toBe(0)
    await expect(other.answer).resolves.toEqual({})
  })

  it('CL-08 a signal that has fired opens nothing', async () => {
    const { clock, pending } = table()
    const reason = new Error('before')
    const onAbandon = vi.fn<() => void>()
    const call = pending.open({
      method: 'm',
      timeoutMs: 5,
      signal: AbortSignal.abort(reason),
      onAbandon,
    })
    await expect(call.answer).rejects.toBe(reason)
    expect(pending.has(call.id)).toBe(false)
    expect(onAbandon).not.toHaveBeenCalled()
    expect(clock.armed()).toBe(0)
  })

  it('closing fails what waits and what is opened later, and tells nobody to cancel', async () => {
    const { clock, pending } = table()
    const onAbandon = vi.fn<() => void>()
    const call = pending.open({ method: 'm', timeoutMs: 5, maxTotalMs: 9, onAbandon })
    const error = new ConnectionClosedError()
    pending.close(error)
    pending.close(new Error('again'))
    await expect(call.answer).rejects.toBe(error)
    await expect(pending.open({ method: 'm' }).answer).rejects.toBe(error)
    expect([clock.armed(), pending.size]).toEqual([0, 0])
    expect(onAbandon).not.toHaveBeenCalled()
  })

  it('fails one entry without touching the others', async () => {
    const { pending } = table()
    const first = pending.open({ method: 'a' })
    const second = pending.open({ method: 'b' })
    expect(pending.fail(first.id, new Error('unsendable'))).toBe(true)
    expect(pending.fail(first.id, new Error('again'))).toBe(false)
    await expect(first.answer).rejects.toThrow('unsendable')
    expect(pending.has(second.id)).toBe(true)
  })
})
