/** The official suite speaks HTTP only; its server scenarios, by name, over stdio in both eras. */
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Client, InputRequiredError } from '../../src/client/index.ts'
import type { ConnectOptions } from '../../src/client/index.ts'
import { stdio } from '../../src/stdio/index.ts'
import { until } from '../client/fake-server.ts'

const server = fileURLToPath(new URL('fixtures/conformance.ts', import.meta.url))
const args = ['--conditions=mcp-edge-source', server]

const logs: unknown[] = []
const questions: string[] = []

async function connect(mode: ConnectOptions['mode']): Promise<Client> {
  const client = new Client({ name: 'scenarios', version: '1' })
  client.onElicitation((question) => {
    questions.push(question.message)
    return {
      action: 'accept',
      content: {
        username: 'testuser',
        email: 'test@example.com',
        name: 'Ann',
        user_name: 'Ann',
        color: 'blue',
        step1: 'Ann',
        context: 'here',
      },
    }
  })
  client.onSampling(() => ({
    role: 'assistant',
    model: 'm',
    content: { type: 'text', text: 'sampled' },
  }))
  client.onRoots(() => [{ uri: 'file:///here', name: 'here' }])
  client.onLog(({ data }) => void logs.push(data))
  const target = stdio({ command: process.execPath, args, stderr: 'ignore' })
  await client.connect(target, { mode })
  return client
}

describe.each([
  ['legacy', 'legacy'],
  ['modern', 'auto'],
] as const)('over stdio, %s', (era, mode) => {
  let client: Client
  beforeAll(async () => {
    client = await connect(mode)
  })
  afterAll(() => client.close())

  const types = async (name: string): Promise<string[]> =>
    (await client.callTool(name)).content.map(({ type }) => type)
  const text = async (name: string, input = {}): Promise<string> =>
    JSON.stringify((await client.callTool(name, input)).content)

  it('server-initialize', () => {
    expect(client.era).toBe(era)
    expect(client.serverInfo).toHaveProperty('name')
  })

  it('tools-list', async () => {
    const tools = await client.tools()
    expect(tools.length).toBeGreaterThan(20)
    for (const { name, description, inputSchema } of tools) {
      expect(name).toMatch(/^[\w.-]{1,128}$/)
      expect(description).toBeTruthy()
      expect(inputSchema.type).toBe('object')
    }
    const again = (await client.listTools({ cache: 'reload' })).tools
    expect(again.map(({ name }) => name)).toEqual(tools.map(({ name }) => name))
  })

  it('json-schema-2020-12', async () => {
    const tool = (await client.tools()).find(({ name }) => name === 'json_schema_2020_12_tool')
    for (const keyword of [
      '$schema',
      '$defs',
      'allOf',
      'if',
      'then',
      'else',
      'additionalProperties',
    ])
      expect(tool?.inputSchema).toHaveProperty([keyword])
  })

  it('tools-call-simple-text, -image, -audio, -embedded-resource, -mixed-content', async () => {
    expect(await types('test_simple_text')).toContain('text')
    expect(await types('test_image_content')).toContain('image')
    expect(await types('test_audio_content')).toContain('audio')
    expect(await types('test_embedded_resource')).toContain('resource')
    expect(await types('test_multiple_content_types')).toEqual(
      expect.arrayContaining(['text', 'image', 'resource']),
    )
  })

  it('tools-call-error', async () => {
    expect(await client.callTool('test_error_handling')).toMatchObject({ isError: true })
  })

  it('tools-call-with-progress', async () => {
    const seen: number[] = []
    await client.callTool(
      'test_tool_with_progress',
      {},
      { onProgress: ({ progress }) => void seen.push(progress) },
    )
    expect(seen.length).toBeGreaterThanOrEqual(2)
    expect(seen).toEqual(seen.toSorted((a, b) => a - b))
  })

  it('logging-set-level, tools-call-with-logging', async () => {
    logs.length = 0
    await client.callTool('test_tool_with_logging')
    expect(logs).toEqual([])
    await client.setLogLevel('debug')
    await client.callTool('test_tool_with_logging')
    await until(() => logs.length >= 3)
  })

  it('resources-list, -read-text, -read-binary, -templates-read, sep-2164 not found', async () => {
    expect((await client.resources()).length).toBeGreaterThan(0)
    expect((await client.resourceTemplates()).length).toBeGreaterThan(0)
    expect((await client.readResource('test://static-text')).contents[0]).toHaveProperty('text')
    expect((await client.readResource('test://static-binary')).contents[0]).toHaveProperty('blob')
    const { contents } = await client.readResource('test://template/123/data')
    expect(JSON.stringify(contents)).toContain('123')
    await expect(client.readResource('test://nope')).rejects.toMatchObject({
      code: era === 'legacy' ? -32002 : -32602,
    })
  })

  it('prompts-list, -get-simple, -get-with-args, -embedded-resource, -with-image', async () => {
    expect((await client.prompts()).length).toBeGreaterThan(0)
    expect((await client.getPrompt('test_simple_prompt')).messages).toHaveLength(1)
    const named = { arg1: 'testValue1', arg2: 'testValue2' }
    const filled = await client.getPrompt('test_prompt_with_arguments', named)
    expect(JSON.stringify(filled.messages)).toMatch(/testValue1.*testValue2/)
    const uri = { resourceUri: 'test://example-resource' }
    const resource = await client.getPrompt('test_prompt_with_embedded_resource', uri)
    expect(resource.messages.map(({ content }) => content.type)).toContain('resource')
    const image = await client.getPrompt('test_prompt_with_image')
    expect(image.messages.map(({ content }) => content.type)).toContain('image')
  })

  it('completion-complete', async () => {
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'test_prompt_with_arguments' },
      argument: { name: 'arg1', value: 'test' },
    })
    expect(Array.isArray(completion.values)).toBe(true)
  })

  it('tools-call-sampling, tools-call-elicitation, elicitation-sep1034-defaults, -sep1330-enums', async () => {
    expect(await text('test_sampling', { prompt: 'hi' })).toContain('sampled')
    expect(await text('test_elicitation', { message: 'who?' })).toContain('testuser')
    const asked = questions.length
    await client.callTool('test_elicitation_sep1034_defaults')
    await client.callTool('test_elicitation_sep1330_enums').catch(() => undefined)
    expect(questions.length).toBeGreaterThanOrEqual(asked + 2)
  })

  it('resources-subscribe, -unsubscribe; server-stateless listen', async () => {
    const changes = client.listen({
      toolsListChanged: true,
      resourceSubscriptions: ['test://watched-resource'],
    })
    expect(await changes.acknowledged).toMatchObject({ toolsListChanged: true })
    await client.callTool('test_trigger_tool_change')
    for await (const change of changes) {
      expect(change).toEqual({ kind: 'toolsListChanged' })
      break
    }
  })
})

describe('over stdio, rounds of questions', () => {
  let client: Client
  beforeAll(async () => {
    client = await connect('auto')
  })
  afterAll(() => client.close())

  it.each([
    'test_input_required_result_elicitation',
    'test_input_required_result_sampling',
    'test_input_required_result_list_roots',
    'test_input_required_result_request_state',
    'test_input_required_result_multiple_inputs',
    'test_input_required_result_multi_round',
  ])('input-required-result: %s', async (name) => {
    expect((await client.callTool(name)).content.length).toBeGreaterThan(0)
    const first = await client.callTool(name, {}, { manual: true }).catch((error: unknown) => error)
    expect(first).toBeInstanceOf(InputRequiredError)
  })

  it('input-required-result-non-tool-request', async () => {
    const { messages } = await client.getPrompt('test_input_required_result_prompt')
    expect(messages.length).toBeGreaterThan(0)
  })

  it('input-required-result-tampered-state', async () => {
    const name = 'test_input_required_result_tampered_state'
    const error = await client
      .callTool(name, {}, { manual: true })
      .catch((thrown: unknown) => thrown)
    if (!(error instanceof InputRequiredError)) throw error
    const requestState = `${String(error.result['requestState'])}-TAMPERED`
    const inputResponses = { confirm: { action: 'accept', content: { ok: true } } }
    const retry = client.callTool(name, {}, { requestState, inputResponses })
    await expect(retry).rejects.toMatchObject({ code: -32602 })
  })

  it('server-stateless: a missing capability names what is required', async () => {
    const bare = await Client.connect(
      stdio({ command: process.execPath, args, stderr: 'ignore' }),
      {
        name: 'bare',
        version: '1',
      },
    )
    await expect(bare.callTool('test_missing_capability')).rejects.toMatchObject({
      code: -32021,
      data: { requiredCapabilities: { sampling: {} } },
    })
    await bare.close()
  })
})
