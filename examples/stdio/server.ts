/**
 * Notes in a folder, for any client that starts servers as processes: read, search, write — after
 * asking — and be told when one changes.
 *
 * `node --conditions=mcp-edge-source examples/stdio/server.ts [folder]`
 *
 * @module
 */
import { watch } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { McpServer, ResourceNotFoundError, ToolError, userMessage } from 'mcp-edge'
import { serveStdio } from 'mcp-edge/stdio'
import * as z from 'zod'

const folder = resolve(process.argv[2] ?? 'notes')
await mkdir(folder, { recursive: true })

const server = new McpServer({
  name: 'notes',
  version: '1.0.0',
  title: 'Notes',
  instructions: 'Search before you write: a note on the subject may be there already.',
})

/** Names are one plain word, so that none leads out of the folder. */
const noteName = z.string().regex(/^[\w-]{1,64}$/)
const fileOf = (name: string): string => join(folder, `${name}.md`)
const uriOf = (name: string): string => `note://local/${name}`

async function names(): Promise<string[]> {
  const files = await readdir(folder)
  return files.filter((file) => file.endsWith('.md')).map((file) => file.slice(0, -3))
}

async function read(name: string): Promise<string | undefined> {
  try {
    return await readFile(fileOf(name), 'utf8')
  } catch {
    return undefined
  }
}

server.tool(
  'search',
  {
    description: 'Find notes that contain a text',
    input: z.object({ text: z.string().min(1) }),
    output: z.object({ found: z.array(z.object({ name: z.string(), line: z.string() })) }),
    annotations: { readOnlyHint: true },
  },
  async ({ text }, ctx) => {
    const all = await names()
    const found: { name: string; line: string }[] = []
    for (const [index, name] of all.entries()) {
      await ctx.progress(index + 1, { total: all.length, message: name })
      const lines = (await read(name))?.split('\n') ?? []
      const line = lines.find((candidate) => candidate.toLowerCase().includes(text.toLowerCase()))
      if (line !== undefined) found.push({ name, line })
    }
    return { found }
  },
)

server.tool(
  'write',
  {
    description: 'Write a note; asks before it replaces one',
    input: z.object({ name: noteName, text: z.string() }),
    annotations: { destructiveHint: true, idempotentHint: true },
  },
  async ({ name, text }, ctx) => {
    if ((await read(name)) !== undefined) {
      const answer = await ctx.elicit('replace', {
        message: `Replace the note ${name}?`,
        schema: z.object({ yes: z.boolean().default(false) }),
      })
      if (answer.action !== 'accept' || !answer.content.yes)
        throw new ToolError(`The note ${name} was left as it is.`)
    }
    await writeFile(fileOf(name), text)
    return `Wrote ${name}.`
  },
)

server.resourceTemplate(
  'note://local/{name}',
  {
    name: 'note',
    title: 'A note',
    mimeType: 'text/markdown',
    complete: { name: async (typed) => (await names()).filter((name) => name.startsWith(typed)) },
  },
  async ({ name }, _ctx, uri) => {
    const text = noteName.safeParse(name).success ? await read(name) : undefined
    if (text === undefined) throw new ResourceNotFoundError(uri)
    return text
  },
)

server.prompt(
  'summarize',
  { description: 'Summarize a note', input: z.object({ name: noteName }) },
  async ({ name }) => [userMessage(`Summarize this note:\n\n${(await read(name)) ?? ''}`)],
)

watch(folder, (_event, file) => {
  if (file?.endsWith('.md') === true) void server.notify.resourceUpdated(uriOf(file.slice(0, -3)))
})

serveStdio(server)
