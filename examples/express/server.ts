/**
 * An Express application that also speaks MCP: a task list with a JSON API, and the same list as tools.
 *
 * `npm run example:express` — then http://127.0.0.1:8787/tasks and http://127.0.0.1:8787/mcp
 *
 * @module
 */
import process from 'node:process'
import express from 'express'
import { createHandler, McpServer, ToolError } from 'mcp-edge'
import { toNodeHandler } from 'mcp-edge/node'
import * as z from 'zod'

const tasks: { id: number; title: string; done: boolean }[] = [
  { id: 1, title: 'Water the plants', done: false },
]

const server = new McpServer({ name: 'tasks', version: '1.0.0' })

server.tool(
  'add_task',
  { description: 'Put a task on the list', input: z.object({ title: z.string().min(1).max(200) }) },
  ({ title }) => `Added as number ${add(title).id}.`,
)

server.tool(
  'finish_task',
  {
    description: 'Tick a task off; asks before',
    input: z.object({ id: z.int() }),
    annotations: { idempotentHint: true },
  },
  async ({ id }, ctx) => {
    const task = tasks.find((each) => each.id === id)
    if (task === undefined) throw new ToolError(`There is no task ${id}.`)
    const answer = await ctx.elicit('sure', {
      message: `Is “${task.title}” done?`,
      schema: z.object({ done: z.boolean().default(true) }),
    })
    if (answer.action !== 'accept' || !answer.content.done) return 'Left open.'
    task.done = true
    await ctx.notify.resourceUpdated('tasks://all')
    return 'Ticked off.'
  },
)

server.resource('tasks://all', { name: 'tasks', mimeType: 'application/json' }, () =>
  JSON.stringify(tasks),
)

const handler = createHandler(server)

const app = express()
app.use(express.json())
app.get('/tasks', (_request, response) => void response.json(tasks))
app.post('/tasks', (request, response) => {
  const { success, data } = z.object({ title: z.string().min(1) }).safeParse(request.body)
  if (success) response.status(201).json(add(data.title))
  else response.status(400).json({ error: 'a task has a title' })
})
// One line, wherever it is mounted; that express.json() has read the body already does not matter.
app.all('/mcp', toNodeHandler(handler))

const listening = app.listen(Number(process.env['PORT'] ?? 8787), '127.0.0.1', () => {
  const address = listening.address()
  const port = typeof address === 'object' ? address?.port : address
  console.log(`http://127.0.0.1:${port}/mcp`)
})

function add(title: string): (typeof tasks)[number] {
  const task = { id: tasks.length + 1, title, done: false }
  tasks.push(task)
  // The API tells subscribers as well, because the list is the same.
  void server.notify.resourceUpdated('tasks://all')
  return task
}

function close(): void {
  void handler.close()
  listening.close()
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, close)
