import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { McpServer } from '../../src/server/index.ts'
import type { ServerOptions } from '../../src/server/index.ts'
import { Conversation } from '../../src/stdio/conversation.ts'
import type { ConversationOptions } from '../../src/stdio/conversation.ts'
import { fakeClock, settle } from '../support/clock.ts'
import { until } from '../client/fake-server.ts'

type Sent = Readonly<Record<string, unknown>>

function begin(options: ConversationOptions = {}, more: Partial<ServerOptions> = {}) {
  const server = new McpServer({ name: 's', version: '1', onError: () => undefined, ...more })
  const aborted: unknown[] = []
  server.tool('echo', { input: z.object({ text: z.string() }) }, ({ text }) => text)
  server.tool('wait', {}, async (_input, ctx) => {
    await new Promise<void>((resolve) => {
      ctx.signal.addEventListener('abort', () => {
        aborted.push(ctx.signal.reason)
        resolve()
      })
    })
    await ctx.progress(1)
    return 'late'
  })
  server.tool('ask', {}, async (_input, ctx) => {
    const { action } = await ctx.elicit('q', {
      message: '?',
      schema: z.object({ ok: z.boolean() }),
    })
    return action
  })
  server.tool('whoami', {}, (_input, ctx) => JSON.stringify([ctx.env, ctx.data]))
  server.resource('test:a', { name: 'a' }, () => 'a')
  const sent: Sent[] = []
  const raw: string[] = []
  const channel = {
    send: (text: string): Promise<void> => {
      raw.push(text)
      sent.push(JSON.parse(text))
      return Promise.resolve()
    },
  }
  const conversation = new Conversation(server, channel, options)
  const send = (message: unknown): void =>
    conversation.receive(typeof message === 'string' ? message : JSON.stringify(message))
  const answer = async (id: unknown): Promise<Sent> => {
    const find = (): Sent | undefined => sent.find((one) => one['id'] === id && !('method' in one))
    await until(() => find() !== undefined)
    return find() ?? {}
  }
  const ask = (id: unknown, method: string, params: Sent = {}): Promise<Sent> => {
    send({ jsonrpc: '2.0', id, method, params })
    return answer(id)
  }
  return { server, conversation, sent, raw, send, ask, answer, aborted }
}

const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
}
const META = { _meta: envelope }
const hello = (version = '2025-11-25') => ({
  protocolVersion: version,
  capabilities: { elicitation: {} },
  clientInfo: { name: 'c', version: '1' },
})
const call = (name: string, args: Sent = {}): Sent => ({ name, arguments: args })

describe('a conversation', () => {
  it('IO-01 sends one line for each message, whatever is in it', async () => {
    const { ask, raw } = begin()
    const text = 'a\nb\r\nc\u2028d\u2029'
    const answer = await ask(1, 'tools/call', { ...call('echo', { text }), ...META })
    expect(answer).toMatchObject({ result: { content: [{ text }] } })
    expect(raw.every((line) => !/[\n\r]/.test(line))).toBe(true)
  })

  it('ST-09 IO-11 answers what is malformed and goes on', async () => {
    const { send, sent, ask } = begin()
    await ask(0, 'initialize', hello())
    for (const line of [
      '{"id":99,"method":"tools/list"}',
      '[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]',
      '{"jsonrpc":"2.0","id":5,',
      '['.repeat(1_000),
      '{"jsonrpc":"2.0","id":null,"method":"ping"}',
    ])
      send(line)
    send({ jsonrpc: '2.0', method: 'acme/unknown' })
    await ask(7, 'ping')
    expect(sent.slice(1)).toEqual([
      { jsonrpc: '2.0', id: 99, error: expect.objectContaining({ code: -32600 }) },
      { jsonrpc: '2.0', error: expect.objectContaining({ code: -32600 }) },
      { jsonrpc: '2.0', error: expect.objectContaining({ code: -32700 }) },
      { jsonrpc: '2.0', error: expect.objectContaining({ code: -32700 }) },
      { jsonrpc: '2.0', error: expect.objectContaining({ code: -32600 }) },
      { jsonrpc: '2.0', id: 7, result: {} },
    ])
  })

  it('IO-09 discovery decides nothing, a handshake everything', async () => {
    const { ask } = begin()
    expect(await ask(1, 'server/discover', META)).toMatchObject({
      result: { supportedVersions: ['2026-07-28'] },
    })
    expect(await ask(2, 'initialize', hello('2025-06-18'))).toMatchObject({
      result: { protocolVersion: '2025-06-18' },
    })
    expect(await ask(3, 'tools/list')).toMatchObject({ result: { tools: expect.any(Array) } })
    expect(await ask(4, 'tools/list', META)).toMatchObject({ error: { code: -32600 } })
    expect(await ask(5, 'initialize', hello())).toMatchObject({ error: { code: -32600 } })
    expect(await ask(6, 'subscriptions/listen', { notifications: {} })).toMatchObject({
      error: { code: -32601 },
    })
  })

  it('IO-09 after a modern request a handshake is refused, naming what is served', async () => {
    const { ask } = begin()
    await ask(1, 'tools/list', META)
    expect(await ask(2, 'initialize', hello())).toMatchObject({
      error: { code: -32022, data: { supported: ['2026-07-28'], requested: '2025-11-25' } },
    })
    expect(await ask(3, 'ping')).toMatchObject({ error: { code: -32602 } })
  })

  it('IO-10 a modern-only server names its versions to whoever greets', async () => {
    const { ask } = begin({}, { revisions: ['2026-07-28'] })
    expect(await ask(1, 'initialize', hello())).toMatchObject({
      error: { code: -32022, data: { supported: ['2026-07-28'] } },
    })
  })

  it('IO-12 wants an envelope where nobody shook hands', async () => {
    const { ask } = begin()
    expect(await ask(1, 'tools/list')).toMatchObject({ error: { code: -32602 } })
    const other = {
      _meta: { ...envelope, 'io.modelcontextprotocol/protocolVersion': '1999-01-01' },
    }
    expect(await ask(2, 'tools/list', other)).toMatchObject({ error: { code: -32022 } })
    expect(await ask(3, 'initialize', { ...hello(), ...META })).toMatchObject({
      error: { code: -32601 },
    })
    expect(await ask(4, 'initialize', {})).toMatchObject({ error: { code: -32602 } })
    expect(await ask(5, 'ping')).toMatchObject({ result: {} })
  })

  it('a second request under an id in use is refused, the first answered', async () => {
    const { send, sent, ask, answer } = begin()
    send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...call('wait'), ...META } })
    expect(await ask(1, 'tools/list', META)).toMatchObject({ error: { code: -32600 } })
    send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
    await ask(2, 'tools/list', META)
    expect(sent.filter(({ id }) => id === 1)).toHaveLength(1)
    expect(await answer(2)).toHaveProperty('result')
  })

  it('IO-07 LC-11 a cancelled call is aborted and says nothing more', async () => {
    const { send, sent, ask, aborted } = begin()
    await ask(0, 'initialize', hello())
    const params = { ...call('wait'), _meta: { progressToken: 'p' } }
    send({ jsonrpc: '2.0', id: 'w', method: 'tools/call', params })
    await settle()
    for (const requestId of [999, 'w', 'w', {}])
      send({
        jsonrpc: '2.0',
        method: 'notifications/cancelled',
        params: { requestId, reason: 'bored' },
      })
    await until(() => aborted.length === 1)
    await settle()
    expect(String(aborted[0])).toContain('bored')
    expect(sent).toHaveLength(1)
  })

  it('IO-06 asks a modern client by result, never by request', async () => {
    const { ask, sent } = begin()
    const first = await ask(1, 'tools/call', { ...call('ask'), ...META })
    const result = first['result'] as Sent
    expect(result).toMatchObject({ resultType: 'input_required', inputRequests: { q: {} } })
    const retry = {
      ...call('ask'),
      ...META,
      requestState: result['requestState'],
      inputResponses: { q: { action: 'decline' } },
    }
    expect(await ask(2, 'tools/call', retry)).toMatchObject({
      result: { content: [{ text: 'decline' }] },
    })
    expect(sent.some((message) => 'method' in message)).toBe(false)
  })

  it('asks a legacy client by request, and withdraws what it no longer wants to know', async () => {
    const clock = fakeClock()
    const { ask, send, sent, answer } = begin({ clock, serverRequestTimeoutMs: 1_000 })
    await ask(0, 'initialize', hello())
    send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call('ask') })
    await until(() => sent.some(({ method }) => method === 'elicitation/create'))
    const question = sent.find(({ method }) => method === 'elicitation/create')
    send({ jsonrpc: '2.0', id: question?.['id'], result: { action: 'cancel' } })
    expect(await answer(1)).toMatchObject({ result: { content: [{ text: 'cancel' }] } })
    send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: call('ask') })
    await until(() => sent.filter(({ method }) => method === 'elicitation/create').length === 2)
    await clock.advance(1_000)
    await answer(2)
    expect(sent.filter(({ method }) => method === 'notifications/cancelled')).toHaveLength(1)
    expect(clock.armed()).toBe(0)
  })

  it('IO-08 SB-01 SB-02 serves listen: acknowledged, tagged, completed', async () => {
    const { server, conversation, send, sent } = begin()
    const listen = (id: unknown, notifications: Sent): void =>
      send({
        jsonrpc: '2.0',
        id,
        method: 'subscriptions/listen',
        params: { notifications, ...META },
      })
    listen('a', { resourceSubscriptions: ['test:a'], toolsListChanged: true })
    listen(0, { promptsListChanged: true })
    listen('bad', { toolsListChanged: 'yes' })
    await settle()
    await server.notify.resourceUpdated('test:a')
    await server.notify.resourceUpdated('test:b')
    await server.notify.toolsChanged()
    send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'zz' } })
    conversation.close(new Error('over'))
    const tag = (id: unknown) => ({ _meta: { 'io.modelcontextprotocol/subscriptionId': id } })
    expect(sent).toEqual([
      expect.objectContaining({
        method: 'notifications/subscriptions/acknowledged',
        params: {
          ...tag('a'),
          notifications: { resourceSubscriptions: ['test:a'], toolsListChanged: true },
        },
      }),
      expect.objectContaining({
        method: 'notifications/subscriptions/acknowledged',
        params: { ...tag(0), notifications: {} },
      }),
      expect.objectContaining({
        id: 0,
        result: expect.objectContaining({ resultType: 'complete' }),
      }),
      expect.objectContaining({ id: 'bad', error: expect.objectContaining({ code: -32602 }) }),
      expect.objectContaining({
        method: 'notifications/resources/updated',
        params: { uri: 'test:a', ...tag('a') },
      }),
      expect.objectContaining({ method: 'notifications/tools/list_changed', params: tag('a') }),
      expect.objectContaining({
        id: 'a',
        result: expect.objectContaining({ resultType: 'complete' }),
      }),
    ])
  })

  it('SB-17 a listener that cancels hears nothing more, not even a result', async () => {
    const { server, conversation, send, sent } = begin()
    const params = { notifications: { toolsListChanged: true }, ...META }
    send({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params })
    await settle()
    send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
    await server.notify.toolsChanged()
    conversation.close(new Error('over'))
    expect(sent).toHaveLength(1)
  })

  it('LC-13 LC-16 a legacy client hears what it subscribed to, at the level it set', async () => {
    const { server, sent, ask } = begin()
    await server.notify.toolsChanged()
    await ask(0, 'initialize', hello())
    await server.notify.resourceUpdated('test:a')
    await server.notify.log('error', 'before')
    await ask(1, 'resources/subscribe', { uri: 'test:a' })
    expect(await ask(2, 'logging/setLevel', { level: 'loud' })).toMatchObject({
      error: { code: -32602 },
    })
    await ask(3, 'logging/setLevel', { level: 'error' })
    await server.notify.resourceUpdated('test:a')
    await server.notify.resourceUpdated('test:b')
    await server.notify.log('info', 'quiet')
    await server.notify.log('error', 'loud')
    await server.notify.toolsChanged()
    await ask(4, 'resources/unsubscribe', { uri: 'test:a' })
    await server.notify.resourceUpdated('test:a')
    const methods = sent.flatMap(({ method }) => (typeof method === 'string' ? [method] : []))
    expect(methods).toEqual([
      'notifications/resources/updated',
      'notifications/message',
      'notifications/tools/list_changed',
    ])
  })

  it('gives handlers env and data, and masks a context that fails', async () => {
    const good = begin({ env: 'e', context: ({ env }) => `data of ${String(env)}` })
    expect(await good.ask(1, 'tools/call', { ...call('whoami'), ...META })).toMatchObject({
      result: { content: [{ text: '["e","data of e"]' }] },
    })
    const fail = (): never => {
      throw new Error('secret')
    }
    const bad = begin({ context: fail })
    expect(await bad.ask(1, 'tools/call', { ...call('whoami'), ...META })).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32603, message: 'Internal error' },
    })
  })

  it('closing aborts what is in progress and says no more', async () => {
    const { conversation, send, sent, aborted } = begin()
    send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { ...call('wait'), ...META } })
    await settle()
    const idle = conversation.idle()
    conversation.close(new Error('over'))
    await idle
    send({ jsonrpc: '2.0', id: 2, method: 'tools/list', params: META })
    await settle()
    expect(String(aborted[0])).toContain('over')
    expect(sent).toEqual([])
  })
})
