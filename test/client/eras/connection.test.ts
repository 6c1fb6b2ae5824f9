import { describe, expect, it } from 'vitest'
import { Client } from '../../../src/client/index.ts'
import type { Connector } from '../../../src/client/index.ts'
import { fakeClock } from '../../support/clock.ts'

const me = { name: 'test', version: '1' }

/** A channel whose server answers the probe as told, and any handshake properly. */
function channel(onProbe: (id: unknown) => Record<string, unknown> | 'silence' | 'exit') {
  const asked: string[] = []
  let started = 0
  const connector: Connector = (host) => {
    started += 1
    return {
      exchange: (request) => {
        asked.push(request.method)
        const { id } = request
        if (request.method === 'initialize') {
          const { protocolVersion } = request.params ?? {}
          const result = { protocolVersion, capabilities: {}, serverInfo: me }
          return Promise.resolve({ jsonrpc: '2.0', id, result })
        }
        const reply = onProbe(id)
        if (reply === 'exit') host.closed(new Error('died'))
        if (typeof reply === 'string') return new Promise(() => undefined)
        return Promise.resolve({ jsonrpc: '2.0', id, ...reply } as never)
      },
      notify: () => Promise.resolve(),
      close: () => Promise.resolve(),
    }
  }
  return { connector, asked, starts: () => started }
}

describe('negotiation over a channel', () => {
  it.each([-32601, -32602, -32600, -32000, -32700])(
    'CL-05 ST-10 falls back to the handshake after %s',
    async (code) => {
      const { connector, asked } = channel(() => ({ error: { code, message: 'what?' } }))
      const client = await Client.connect(connector, me)
      expect(client.era).toBe('legacy')
      expect(asked).toEqual(['server/discover', 'initialize'])
    },
  )

  it('F16 CL-05 ST-10 takes five seconds of silence for age', async () => {
    const clock = fakeClock()
    const { connector, asked } = channel(() => 'silence')
    const connecting = Client.connect(connector, { ...me, clock })
    await clock.advance(4_999)
    expect(asked).toEqual(['server/discover'])
    await clock.advance(1)
    expect((await connecting).era).toBe('legacy')
    expect(clock.armed()).toBe(0)
  })

  it.each([-32022, -32020, -32021])('CL-04 ST-10 stays modern after %s', async (code) => {
    const { connector, asked } = channel(() => ({ error: { code, message: 'no', data: {} } }))
    await expect(Client.connect(connector, me)).rejects.toThrow()
    expect(asked).toEqual(['server/discover'])
  })

  it('starts a process again that did not survive the probe, once', async () => {
    const { connector, asked, starts } = channel(() => 'exit')
    expect((await Client.connect(connector, me)).era).toBe('legacy')
    expect(asked).toEqual(['server/discover', 'initialize'])
    expect(starts()).toBe(2)
  })
})
