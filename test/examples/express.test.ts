import { afterAll, beforeAll, expect, test } from 'vitest'
import { Client } from 'mcp-edge/client'
import { start, type Started } from './started.ts'

let example: Started

beforeAll(async () => {
  example = await start('examples/express/server.ts')
})

afterAll(async () => {
  expect(await example.stop()).toBe(0)
})

test.each(['legacy', 'auto'] as const)('the task list in mode %s', async (mode) => {
  const client = new Client({ name: 'test', version: '1.0.0' })
  const asked: string[] = []
  client.onElicitation((question) => {
    asked.push(question.message)
    return { action: 'accept', content: { done: true } }
  })
  await client.connect(example.url, { mode })
  expect((await client.tools()).map(({ name }) => name)).toEqual(['add_task', 'finish_task'])
  const added = await client.callTool('add_task', { title: `Call ${mode}` })
  const id = /number (\d+)/.exec(JSON.stringify(added.content))?.[1]
  const finished = await client.callTool('finish_task', { id: Number(id) })
  expect(finished.content).toMatchObject([{ text: 'Ticked off.' }])
  expect(asked).toEqual([`Is “Call ${mode}” done?`])
  const tasks = await fetch(new URL('/tasks', example.url))
  expect(await tasks.json()).toContainEqual({ id: Number(id), title: `Call ${mode}`, done: true })
  await client.close()
})

test('what comes in through the API is heard by those who listen', async () => {
  const client = await Client.connect(example.url, { name: 'test', version: '1.0.0' })
  const changes = client.listen({ resourceSubscriptions: ['tasks://all'] })
  const first = changes[Symbol.asyncIterator]().next()
  await changes.acknowledged
  const body = JSON.stringify({ title: 'From the API' })
  const headers = { 'content-type': 'application/json' }
  const made = await fetch(new URL('/tasks', example.url), { method: 'POST', body, headers })
  expect(made.status).toBe(201)
  expect(JSON.stringify((await first).value)).toContain('tasks://all')
  await client.close()
})
