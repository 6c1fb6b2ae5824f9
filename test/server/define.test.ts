import { expect, test } from 'vitest'
import * as z from 'zod'
import {
  definePrompt,
  defineResource,
  defineResourceTemplate,
  defineTool,
} from '../../src/server/define.ts'
import { McpServer } from '../../src/server/server.ts'
import { userMessage } from '../../src/server/messages.ts'
import { quiet, served } from '../http/served.ts'
import { legacy, modern } from '../support/index.ts'

const echo = defineTool('echo', { input: z.object({ text: z.string() }) }, ({ text }) => text)
const config = defineResource('config://app', { name: 'config' }, () => '{}')
const user = defineResourceTemplate('users://{id}', { name: 'user' }, ({ id }) => `user ${id}`)
const review = definePrompt('review', { input: z.object({ file: z.string() }) }, ({ file }) => [
  userMessage(file),
])

test('definitions work in the option, through add, and in several servers', async () => {
  const given = new McpServer({ name: 's', version: '1', tools: [echo, config, user, review] })
  const { server: added } = quiet()
  added.add(echo, config, user, review)
  for (const server of [given, added]) {
    const { ask } = served(server)
    expect(
      (await ask(modern('tools/call', { name: 'echo', arguments: { text: 'hi' } }))).result?.[
        'content'
      ],
    ).toEqual([{ type: 'text', text: 'hi' }])
    expect(
      (await ask(modern('resources/read', { uri: 'config://app' }))).result?.['contents'],
    ).toHaveLength(1)
    expect(
      (await ask(legacy('resources/read', { uri: 'users://7' }))).result?.['contents'],
    ).toMatchObject([{ text: 'user 7' }])
    expect(
      (await ask(legacy('prompts/get', { name: 'review', arguments: { file: 'a' } }))).result?.[
        'messages'
      ],
    ).toHaveLength(1)
  }
})

test('removing says whether everything was there, and takes the capability with it', async () => {
  const { server } = quiet()
  server.add(echo, config, user, review)
  expect(server.remove(echo, config, user, review)).toBe(true)
  expect(server.remove(echo)).toBe(false)
  const { result } = await served(server).ask(legacy('initialize'))
  for (const name of ['tools', 'resources', 'prompts'])
    expect(result?.['capabilities']).not.toHaveProperty(name)
  server.add(echo)
  expect(() => server.add(echo)).toThrow(/already defined/)
})

test('a bad definition in the option shows when the server is made', () => {
  const bad = defineTool('bad', { input: z.string() as never }, () => 'x')
  expect(() => new McpServer({ name: 's', version: '1', tools: [bad] })).toThrow(/tool 'bad'/)
})

test('withContext only types the context', () => {
  const tool = defineTool.withContext<{ readonly data: number }>()('t', {}, (_input, ctx) =>
    String(ctx.data),
  )
  expect(tool).toMatchObject({ kind: 'tool', name: 't' })
})
