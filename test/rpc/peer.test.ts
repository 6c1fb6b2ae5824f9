import { describe, expect, it } from 'vitest'
import { Peer } from '../../src/rpc/peer.ts'
import type { PeerHandlers } from '../../src/rpc/peer.ts'
import { fakeClock } from '../support/clock.ts'

function converse(send?: (text: string) => Promise<void>) {
  const sent: unknown[] = []
  const heard: unknown[] = []
  const clock = fakeClock()
  const handlers: PeerHandlers = {
    request: ({ method, id }) => void heard.push(['request', method, id]),
    notification: ({ method }) => void heard.push(['notification', method]),
    response: ({ id }) => void heard.push(['response', id]),
    invalid: ({ code }, id) => void heard.push(['invalid', code, id]),
  }
  const keep = async (text: string): Promise<void> => void sent.push(JSON.parse(text))
  const peer = new Peer({ send: send ?? keep }, handlers, { clock })
  const say = (message: unknown): void => peer.receive(JSON.stringify(message))
  return { peer, sent, heard, say, clock }
}

describe('Peer', () => {
  it('sorts what comes in, and names what is no message', () => {
    const { peer, heard, say } = converse()
    say({ jsonrpc: '2.0', id: 0, method: 'a' })
    say({ jsonrpc: '2.0', method: 'b' })
    say({ jsonrpc: '2.0', id: 9, result: {} })
    say({ id: 5, method: 'c' })
    say([{ jsonrpc: '2.0', id: 1, method: 'd' }])
    peer.receive('{"jsonrpc"')
    peer.receive('['.repeat(65) + ']'.repeat(65))
    expect(heard).toEqual([
      ['request', 'a', 0],
      ['notification', 'b'],
      ['response', 9],
      ['invalid', -32600, 5],
      ['invalid', -32600, undefined],
      ['invalid', -32700, undefined],
      ['invalid', -32700, undefined],
    ])
  })

  it('RPC-25 asks under its own ids, and hears its own answers and progress', async () => {
    const { peer, sent, heard, say } = converse()
    const seen: number[] = []
    const asking = peer.ask(
      'x',
      { a: 1 },
      { onProgress: ({ progress }) => void seen.push(progress) },
    )
    expect(sent).toEqual([{ jsonrpc: '2.0', id: 1, method: 'x', params: { a: 1 } }])
    say({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: 1, progress: 5 },
    })
    say({
      jsonrpc: '2.0',
      method: 'notifications/progress',
      params: { progressToken: 2, progress: 5 },
    })
    say({ jsonrpc: '2.0', id: 1, result: { ok: true } })
    expect(await asking).toEqual({ ok: true })
    expect([seen, heard, peer.waiting]).toEqual([
      [5],
      [['notification', 'notifications/progress']],
      0,
    ])
  })

  it('a question that cannot be sent, or is closed over, fails', async () => {
    const broken = converse(() => Promise.reject(new Error('EPIPE')))
    await expect(broken.peer.ask('x', {})).rejects.toThrow('EPIPE')
    const { peer, sent, clock } = converse()
    const asking = peer.ask('x', {}, { timeoutMs: 5 })
    peer.close(new Error('over'))
    await expect(asking).rejects.toThrow('over')
    await expect(peer.ask('y', {})).rejects.toThrow('over')
    expect([sent.length, clock.armed()]).toEqual([1, 0])
  })

  it('IO-01 sends one line whatever is in it', async () => {
    const lines: string[] = []
    const { peer } = converse(async (text) => void lines.push(text))
    await peer.send({ jsonrpc: '2.0', method: 'x', params: { text: 'a\nb\r\u2028' } })
    expect(lines[0]).not.toMatch(/[\r\n]/)
  })
})
