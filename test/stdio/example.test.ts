/** `examples/stdio`, by the clients of other people and by ours. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client as ClientV2 } from '@modelcontextprotocol/client'
import { StdioClientTransport as TransportV2 } from '@modelcontextprotocol/client/stdio'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/stdio.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Client } from '../../src/client/index.ts'
import { stdio } from '../../src/stdio/index.ts'

const example = fileURLToPath(new URL('../../examples/stdio/server.ts', import.meta.url))
const info = { name: 'test', version: '1' }

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'notes-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const started = () => ({
  command: process.execPath,
  args: ['--conditions=mcp-edge-source', example, folder],
  stderr: 'ignore' as const,
})
const note = { name: 'first', text: 'hello world' }
const found = { found: [{ name: 'first', line: 'hello world' }] }

describe('the stdio example', () => {
  it('serves @modelcontextprotocol/sdk 1.32.2', async () => {
    const client = new ClientV1(info, { capabilities: { elicitation: {} } })
    client.setRequestHandler(ElicitRequestSchema, () => ({
      action: 'accept',
      content: { yes: true },
    }))
    await client.connect(new TransportV1(started()))
    expect(client.getServerVersion()).toMatchObject({ name: 'notes' })
    for (const _ of [1, 2]) {
      const { content } = await client.callTool({ name: 'write', arguments: note })
      expect(content).toEqual([{ type: 'text', text: 'Wrote first.' }])
    }
    const { structuredContent } = await client.callTool({
      name: 'search',
      arguments: { text: 'HELLO' },
    })
    expect(structuredContent).toEqual(found)
    await client.close()
  })

  it('serves @modelcontextprotocol/client 2.4.0, in both eras', async () => {
    for (const mode of ['legacy', 'auto'] as const) {
      const client = new ClientV2(info, { versionNegotiation: { mode } })
      await client.connect(new TransportV2(started()))
      const { structuredContent } = await client.callTool({
        name: 'search',
        arguments: { text: 'hello' },
      })
      expect(structuredContent).toEqual(found)
      expect((await client.readResource({ uri: 'note://local/first' })).contents).toHaveLength(1)
      await client.close()
    }
  })

  it.each(['auto', 'legacy'] as const)(
    'asks before it replaces a note, and tells that it changed (%s)',
    async (mode) => {
      const answers = [false, true]
      const client = await Client.connect(stdio(started()), {
        ...info,
        mode,
        onElicitation: () => ({ action: 'accept', content: { yes: answers.shift() ?? false } }),
      })
      const changes = client.listen({ resourceSubscriptions: ['note://local/first'] })
      await changes.acknowledged
      expect(await client.callTool('write', note)).toMatchObject({ isError: true })
      expect(await client.callTool('write', note)).not.toHaveProperty('isError', true)
      for await (const change of changes) {
        expect(change).toMatchObject({ kind: 'resourceUpdated', uri: 'note://local/first' })
        break
      }
      await expect(client.readResource('note://local/..%2f..%2fetc')).rejects.toThrow('not found')
      await client.close()
    },
  )
})
