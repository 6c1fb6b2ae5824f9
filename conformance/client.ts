/**
 * The client that the official conformance suite examines. The suite starts it once for each
 * scenario with the URL of its server as the last argument, and tells the scenario by environment.
 *
 * @module
 */
import { Client } from 'mcp-edge/client'
import type { ClientOptions, ConnectOptions, NegotiationMode } from 'mcp-edge/client'
import { authFor } from './client-auth.ts'

/** What a scenario has at hand. */
interface Run {
  readonly url: string
  readonly connect: (options?: Partial<ClientOptions & ConnectOptions>) => Promise<Client>
  /** What the suite tells beyond the URL, such as calls to make. */
  readonly context: Readonly<Record<string, unknown>>
}

type Scenario = (run: Run) => Promise<void>

const MODERN = '2026-07-28'

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  initialize: async ({ connect }) => {
    const client = await connect()
    await client.tools()
    await client.close()
  },

  tools_call: async ({ connect }) => {
    const client = await connect()
    await client.tools()
    await client.callTool('add_numbers', { a: 5, b: 3 })
    await client.close()
  },

  'elicitation-sep1034-client-defaults': async ({ connect }) => {
    const client = await connect({ onElicitation: () => ({ action: 'accept', content: {} }) })
    await client.tools()
    await client.callTool('test_client_elicitation_defaults')
    await client.close()
  },

  'sse-retry': async ({ connect }) => {
    const client = await connect()
    await client.tools()
    await client.callTool('test_reconnection')
    await client.close()
  },

  'request-metadata': async ({ connect }) => {
    const client = await connect(everyQuestion())
    await client.tools()
    await client.close()
  },

  'sep-2322-client-request-state': async ({ connect }) => {
    const client = await connect({
      onElicitation: () => ({ action: 'accept', content: { confirmed: true } }),
    })
    await client.tools()
    for (const name of [
      'test_mrtr_echo_state',
      'test_mrtr_no_state',
      'test_mrtr_unrelated',
      'test_mrtr_no_result_type',
    ])
      await client.callTool(name)
    await client.close()
  },

  'http-standard-headers': async ({ connect }) => {
    const client = await connect()
    for (const { name } of await client.tools()) await client.callTool(name)
    for (const { uri } of await client.resources()) await client.readResource(uri)
    for (const { name } of await client.prompts()) await client.getPrompt(name)
    await client.close()
  },

  'http-custom-headers': async ({ connect, context }) => {
    const client = await connect()
    await client.tools()
    for (const { name, args } of callsIn(context)) await client.callTool(name, args)
    await client.close()
  },

  'http-invalid-tool-headers': async ({ connect }) => {
    const client = await connect()
    for (const { name } of await client.tools()) await client.callTool(name, { region: 'us-west1' })
    await client.close()
  },

  'json-schema-ref-no-deref': async ({ connect }) => {
    const client = await connect()
    await client.tools()
    await client.close()
  },

  'json-schema-2020-12-preservation': async ({ connect }) => {
    const client = await connect()
    const tools = await client.tools()
    const tool = tools.find(({ name }) => name === 'json_schema_2020_12_tool')
    if (tool === undefined) throw new Error('json_schema_2020_12_tool is not listed')
    await client.callTool('json_schema_echo', { schema: tool.inputSchema })
    await client.close()
  },
}

/** Every authorization scenario: the tokens are got on the way. */
function authorized(name: string): Scenario {
  return async ({ connect, context }) => {
    const client = await connect({ auth: await authFor(name, context) })
    await client.tools()
    await client.callTool('test-tool')
    await client.close()
  }
}

/** Handlers of every kind, so that every capability is declared. */
function everyQuestion(): Partial<ClientOptions> {
  return {
    onElicitation: () => ({ action: 'decline' }),
    onSampling: () => ({ role: 'assistant', content: { type: 'text', text: 'ok' }, model: 'none' }),
    onRoots: () => [{ uri: 'file:///tmp' }],
  }
}

function callsIn(context: Run['context']): { name: string; args: Record<string, unknown> }[] {
  const calls = context['toolCalls']
  if (!Array.isArray(calls)) throw new Error('the suite names no toolCalls')
  return calls.map((call: unknown) => {
    if (!isRecord(call) || typeof call['name'] !== 'string') throw new Error('a call has no name')
    const args = call['arguments']
    return { name: call['name'], args: isRecord(args) ? args : {} }
  })
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function contextOf(text: string | undefined): Run['context'] {
  const value: unknown = JSON.parse(text ?? '{}')
  return isRecord(value) ? value : {}
}

async function main(): Promise<void> {
  const url = process.argv.at(-1) ?? ''
  const name = process.env['MCP_CONFORMANCE_SCENARIO'] ?? ''
  const revision = process.env['MCP_CONFORMANCE_PROTOCOL_VERSION'] ?? MODERN
  const scenario = name.startsWith('auth/') ? authorized(name) : SCENARIOS[name]
  if (scenario === undefined) throw new Error(`no such scenario: ${name}`)
  const mode: NegotiationMode = revision === MODERN ? 'auto' : 'legacy'
  await scenario({
    url,
    context: contextOf(process.env['MCP_CONFORMANCE_CONTEXT']),
    connect: (options) =>
      Client.connect(url, {
        name: 'mcp-edge-conformance',
        version: '1.0.0',
        mode,
        onWarning: (error) => console.error(error.message),
        ...options,
      }),
  })
}

await main()
