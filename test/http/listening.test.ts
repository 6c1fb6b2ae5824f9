import { expect, test, vi } from 'vitest'
import { McpServer } from '../../src/server/server.ts'
import { handlerIn, nameOf, toListening } from '../../src/http/listening.ts'
import type { SignalSource } from '../../src/http/listening.ts'
import { modern } from '../support/index.ts'

function server(): McpServer {
  return new McpServer({ name: 'listening', version: '1.0.0' })
}

/** A process that is told to end by hand. */
function signals(): SignalSource & { readonly send: (signal: string) => void; size: () => number } {
  const listeners = new Map<string, () => void>()
  return {
    on: (signal, listener) => listeners.set(signal, listener),
    off: (signal) => listeners.delete(signal),
    send: (signal) => listeners.get(signal)?.(),
    size: () => listeners.size,
  }
}

test.each([
  ['127.0.0.1', '127.0.0.1'],
  ['::1', '[::1]'],
  ['0.0.0.0', 'localhost'],
  ['::', 'localhost'],
  ['', 'localhost'],
])('the address %s has the name %s in a URL', (hostname, name) => {
  expect(nameOf(hostname)).toBe(name)
  expect(toListening(server(), { hostname }).urlOn(80)).toBe(`http://${name}:80/mcp`)
})

test.each([
  ['tools.internal', 200],
  ['0.0.0.0', 403],
])('bound to %s a request for tools.internal gets %s', async (hostname, status) => {
  const { answer } = toListening(server(), { hostname })
  const response = await answer(modern('tools/list', {}, { url: 'http://tools.internal/mcp' }))
  expect(response.status === 403 ? 403 : 200).toBe(status)
})

test('without an environment options are static, and server.notify reaches the handler', async () => {
  const mine = server()
  handlerIn(mine, {}, undefined)
  await expect(mine.notify.toolsChanged()).resolves.toBeUndefined()
  const other = server()
  handlerIn(other, {}, {})
  await expect(other.notify.toolsChanged()).rejects.toThrow(TypeError)
})

test('closing happens once, handler first', async () => {
  const { handler, closing } = toListening(server())
  const order: string[] = []
  vi.spyOn(handler, 'close').mockImplementation(async () => void order.push('handler'))
  const close = closing({ finish: async () => order.push('runtime') }, signals())
  await Promise.all([close(), close()])
  await close()
  expect(order).toEqual(['handler', 'runtime'])
})

test('signals close only where the options say so, and are given back', async () => {
  const ignored = signals()
  toListening(server()).closing({ finish: async () => undefined }, ignored)
  expect(ignored.size()).toBe(0)
  const source = signals()
  const finish = vi.fn(async () => undefined)
  toListening(server(), { closeOnSignals: true }).closing({ finish }, source)
  expect(source.size()).toBe(2)
  source.send('SIGTERM')
  await vi.waitFor(() => expect(finish).toHaveBeenCalledOnce())
  expect(source.size()).toBe(0)
})

test.each([true, false])('what does not finish is cut after a grace (can cut: %s)', async (can) => {
  vi.useFakeTimers()
  try {
    const cut = vi.fn()
    const stop = { finish: () => new Promise(() => undefined), cut: can ? cut : undefined }
    const closed = toListening(server()).closing(stop, signals())()
    await vi.advanceTimersByTimeAsync(1_999)
    expect(cut).not.toHaveBeenCalled()
    await vi.advanceTimersByTimeAsync(1)
    await closed
    expect(cut).toHaveBeenCalledTimes(can ? 1 : 0)
  } finally {
    vi.useRealTimers()
  }
})
