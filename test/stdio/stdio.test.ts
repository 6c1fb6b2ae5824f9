import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, vi } from 'vitest'
import { Client, ClientError, ConnectionClosedError } from '../../src/client/index.ts'
import type { ClientOptions, ConnectOptions } from '../../src/client/index.ts'
import { stdio } from '../../src/stdio/index.ts'
import type { StdioOptions } from '../../src/stdio/index.ts'
import { until } from '../client/fake-server.ts'
import { script } from './fixtures/script.ts'

const fixture = fileURLToPath(new URL('fixtures/server.ts', import.meta.url))
const me = { name: 'test', version: '1' }
type Options = Partial<ClientOptions & ConnectOptions>

const node = (args: readonly string[], more: Partial<StdioOptions> = {}): StdioOptions => ({
  command: process.execPath,
  args,
  stderr: 'ignore',
  ...more,
})
const connect = (options: Options = {}, more: Partial<StdioOptions> = {}): Promise<Client> =>
  Client.connect(stdio(node([fixture], more)), { ...me, ...options })

describe('stdio()', () => {
  it.each(['auto', 'legacy'] as const)('drives our server (%s)', async (mode) => {
    const client = await connect({ mode, onElicitation: () => ({ action: 'decline' }) })
    expect(client.era).toBe(mode === 'auto' ? 'modern' : 'legacy')
    expect((await client.callTool('echo', { text: 'é\n漢' })).content).toEqual([
      { type: 'text', text: 'é\n漢' },
    ])
    expect((await client.callTool('ask')).content).toEqual([{ type: 'text', text: 'decline' }])
    const seen: number[] = []
    await client.callTool(
      'progress',
      {},
      { onProgress: ({ progress }) => void seen.push(progress) },
    )
    expect(seen).toEqual([1, 2, 3])
    const subscription = client.listen({
      resourceSubscriptions: ['test:a'],
      toolsListChanged: true,
    })
    await subscription.acknowledged
    await client.callTool('touch')
    const kinds: string[] = []
    for await (const { kind } of subscription) if (kinds.push(kind) === 2) break
    expect(kinds.toSorted()).toEqual(['resourceUpdated', 'toolsListChanged'])
    await client.close()
  })

  it('IO-10 a modern-only process is not greeted in vain', async () => {
    const target = stdio(node([fixture, 'modern']))
    await expect(Client.connect(target, { ...me, mode: 'legacy' })).rejects.toMatchObject({
      code: -32022,
    })
  })

  it('CX-02 IO-07 cancels by notification, in both eras, and ignores what comes late', async () => {
    for (const mode of ['auto', 'legacy'] as const) {
      let err = ''
      const stderr = (text: string): void => void (err += text)
      const client = await connect({ mode }, { stderr })
      const controller = new AbortController()
      const calling = client.callTool('slow', { ms: 60_000 }, { signal: controller.signal })
      setTimeout(() => controller.abort(new Error('bored')), 100)
      await expect(calling).rejects.toThrow('bored')
      await until(() => err.includes('aborted: AbortError: bored'))
      await client.callTool('echo', { text: 'still here' })
      await client.close()
    }
  })

  it('ST-01 IO-13 skips what is no message, with one warning, and does not mind stderr', async () => {
    const onWarning = vi.fn<(error: Error) => void>()
    const noisy = script(
      `console.error('not an error'); console.log('Starting...'); console.log('{not json}'); console.log(''); console.log('123'); send({ id: m.id, result: { content: [] } })`,
    )
    const client = await Client.connect(stdio(node(noisy)), { ...me, onWarning })
    await client.callTool('x')
    await client.callTool('x')
    expect(onWarning).toHaveBeenCalledTimes(1)
    expect(String(onWarning.mock.calls[0]?.[0])).toContain('no message')
    await client.close()
  })

  it('ST-04 a process that cannot start, or does not stay, is an error that says why', async () => {
    const missing = Client.connect(stdio({ command: 'no-such-program' }), me)
    await expect(missing).rejects.toThrow(ClientError)
    await expect(missing).rejects.toThrow('no-such-program could not be started')
    const dying = Client.connect(stdio(node(['-e', 'console.error("boom"); process.exit(3)'])), me)
    await expect(dying).rejects.toThrow('the process ended with code 3; its last words: boom')
    expect(() => stdio({ command: '' })).toThrow('command')
    expect(() => stdio(node([], { maxMessageBytes: 0 }))).toThrow('maxMessageBytes')
  })

  it('ST-04 IO-14 a process that dies fails what is in flight, by name, and is started again', async () => {
    const onWarning = vi.fn<(error: Error) => void>()
    const client = await connect({ onWarning })
    const crashing = client.callTool('crash')
    await expect(crashing).rejects.toThrow(ConnectionClosedError)
    await expect(crashing).rejects.toThrow(
      'tools/call was not answered: The server is gone: the process ended with code 7',
    )
    expect((await client.callTool('echo', { text: 'back' })).content).toEqual([
      { type: 'text', text: 'back' },
    ])
    expect(onWarning).toHaveBeenCalledTimes(1)
    await client.close()
  })

  it('SB-18 IO-14 listens again after a crash, and everything counts as changed', async () => {
    const client = await connect()
    const subscription = client.listen({ resourceSubscriptions: ['test:a'] })
    await subscription.acknowledged
    await client.callTool('crash').catch(() => undefined)
    for await (const change of subscription) {
      expect(change).toEqual({ kind: 'resourceUpdated', uri: 'test:a', missed: true })
      break
    }
    await client.close()
  })

  it('F186 IO-05 a line beyond the bound, or output without lines, ends the process', async () => {
    const flood = script(`setInterval(() => process.stdout.write('x'.repeat(65536)), 0)`)
    const client = await Client.connect(stdio(node(flood, { maxMessageBytes: 100_000 })), me)
    await expect(client.callTool('x')).rejects.toThrow('a line of more than 100000 bytes')
    await client.close()
  })

  it('IO-05 reads a last line without its end', async () => {
    const ending = script(
      `process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id: m.id, result: { content: [] } }), () => process.exit(0))`,
    )
    const client = await Client.connect(stdio(node(ending)), me)
    await client.callTool('x')
    await client.close()
  })

  it('leaves nothing behind that keeps a process alive', () => {
    const file = fileURLToPath(new URL('../../src/client/index.ts', import.meta.url))
    const other = fileURLToPath(new URL('../../src/stdio/index.ts', import.meta.url))
    const code = `
      import { Client } from ${JSON.stringify(file)}
      import { stdio } from ${JSON.stringify(other)}
      const client = await Client.connect(stdio({ command: process.execPath, args: [${JSON.stringify(fixture)}], stderr: 'ignore' }), { name: 'a', version: '1' })
      await client.callTool('echo', { text: 'x' }, { timeoutMs: 60_000 })
      await client.close()
      console.log('closed')`
    const run = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
      timeout: 10_000,
    })
    expect([run.status, String(run.stdout)]).toEqual([0, 'closed\n'])
  })
})
