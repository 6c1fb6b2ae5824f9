/**
 * One tool with everything a handler can ask, for every kind of client: the same final result, and
 * the effect happened once.
 *
 * @module
 */
import {
  Client as ClientV2,
  StreamableHTTPClientTransport as TransportV2,
} from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import {
  CreateMessageRequestSchema,
  ElicitRequestSchema,
  ListRootsRequestSchema,
} from '@modelcontextprotocol/sdk/types.js'
import { afterEach, beforeEach, expect, it } from 'vitest'
import * as z from 'zod'
import { Client } from '../../../src/client/index.ts'
import { serve } from '../../../src/node/index.ts'
import type { McpServer } from '../../../src/server/server.ts'
import { userMessage } from '../../../src/server/messages.ts'
import { replayCheck } from '../../../src/testing/replay-check.ts'
import { quiet } from '../../http/served.ts'
import { ABLE, callTool, drive, KEY, questionsOf, sealed, stateOf, textOf } from './rounds.ts'

const form = (message: string) => ({ message, schema: z.object({ value: z.string() }) })

/** What the tool asks, by key and by message. */
const VALUES: Readonly<Record<string, string>> = {
  project: 'apollo',
  branch: 'main',
  region: 'north',
  owner: 'ada',
}
const answerTo = (message: string) => ({
  action: 'accept' as const,
  content: { value: VALUES[message] ?? 'unknown' },
})
const said = {
  role: 'assistant' as const,
  model: 'm',
  content: { type: 'text' as const, text: 'All is well.' },
}
const roots = { roots: [{ uri: 'file:///work' }] }
const ANSWERS = {
  ...Object.fromEntries(Object.keys(VALUES).map((key) => [key, answerTo(key)])),
  note: said,
  roots,
}

const FINAL = 'apollo@main in north for ada from file:///work, build 1: All is well.'

let server: McpServer
let builds: string[]

beforeEach(() => {
  builds = []
  server = quiet().server
  server.tool('deploy', { input: z.object({ env: z.string() }) }, async ({ env }, ctx) => {
    const project = await ctx.elicit('project', form('project'))
    const branch = await ctx.elicit('branch', form('branch'))
    const build = await ctx.once('build', () => {
      builds.push(ctx.callId)
      return { number: builds.length, env }
    })
    const region = await ctx.elicit('region', form('region'))
    const [owner, [root]] = await Promise.all([
      ctx.elicit('owner', form('owner')),
      ctx.roots('roots'),
    ])
    const note = await ctx.sample('note', { messages: [userMessage('A note')], maxTokens: 20 })
    const [p, b, r, o] = [project, branch, region, owner].map((answer) => answer.content?.value)
    return `${p}@${b} in ${r} for ${o} from ${root?.uri}, build ${build.number}: ${note.text}`
  })
})

let stop: (() => Promise<void>) | undefined
afterEach(async () => {
  await stop?.()
  stop = undefined
})

async function served(): Promise<URL> {
  const running = await serve(server, { port: 0, requestState: { keys: [KEY] } })
  stop = () => running.close()
  return new URL(running.url)
}

const call = { name: 'deploy', arguments: { env: 'prod' } }

it('F62 MR-24 the first official client, in a session', async () => {
  const client = new ClientV1({ name: 'v1', version: '1' }, { capabilities: ABLE })
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => answerTo(params.message))
  client.setRequestHandler(CreateMessageRequestSchema, () => said)
  client.setRequestHandler(ListRootsRequestSchema, () => roots)
  await client.connect(new TransportV1(await served()))
  expect(textOf(await client.callTool(call))).toBe(FINAL)
  expect(builds).toHaveLength(1)
  await client.close()
})

it('F62 MR-17 the second official client, on the modern wire', async () => {
  const versionNegotiation = { mode: { pin: '2026-07-28' } } as const
  const client = new ClientV2(
    { name: 'v2', version: '1' },
    { capabilities: ABLE, versionNegotiation },
  )
  client.setRequestHandler('elicitation/create', ({ params }) => answerTo(params.message))
  client.setRequestHandler('sampling/createMessage', () => said)
  client.setRequestHandler('roots/list', () => roots)
  await client.connect(new TransportV2(await served()))
  expect(client.getProtocolEra()).toBe('modern')
  expect(textOf(await client.callTool(call))).toBe(FINAL)
  expect(builds).toHaveLength(1)
  await client.close()
})

it.each(['modern', 'legacy'] as const)('F62 our own client, %s', async (mode) => {
  const client = await Client.connect((await served()).href, {
    name: 'own',
    version: '1',
    mode,
    onElicitation: ({ message }) => answerTo(message),
    onSampling: () => said,
    onRoots: () => roots.roots,
  })
  expect(textOf({ ...(await client.callTool('deploy', call.arguments)) })).toBe(FINAL)
  expect(builds).toHaveLength(1)
  await client.close()
})

it('MR-17 MR-18 by hand, over instances that share only the key', async () => {
  const instances = [sealed(server), sealed(server), sealed(server)]
  const { final, rounds } = await drive(instances, ['deploy', call.arguments], ANSWERS)
  expect(textOf(final)).toBe(FINAL)
  expect(rounds.map((round) => Object.keys(questionsOf(round)))).toEqual([
    ['project'],
    ['branch'],
    ['region'],
    ['owner', 'roots'],
    ['note'],
  ])
  expect(builds).toHaveLength(1)
})

it('a client that goes back makes the effect happen again under the same callId', async () => {
  const handler = sealed(server)
  const tool = ['deploy', call.arguments] as const
  const first = await callTool(handler, tool)
  const second = await callTool(handler, tool, {
    state: stateOf(first),
    answers: { project: answerTo('project') },
  })
  const round = { state: stateOf(second), answers: { branch: answerTo('branch') } }
  const third = await callTool(handler, tool, round)
  expect(Object.keys(questionsOf(third))).toEqual(['region'])
  const again = await callTool(sealed(server), tool, round)
  expect(Object.keys(questionsOf(again))).toEqual(['region'])
  expect(builds).toEqual([builds[0], builds[0]])
})

it('the check for handlers passes it', async () => {
  const { rounds } = await replayCheck(server, {
    tool: 'deploy',
    arguments: call.arguments,
    answers: ANSWERS,
    effects: { build: () => builds.length },
    comparable: ({ isError }) => isError,
  })
  expect(rounds).toBe(5)
})
