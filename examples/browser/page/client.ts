/**
 * An MCP client in a web page: it lists the tools of a server, calls them, shows progress, and asks the user
 * what the server asks.
 *
 * @module
 */
import { Client, defaultsOf } from 'mcp-edge/client'

const client = new Client({ name: 'web-page', version: '1.0.0' })
client.onElicitation((question) =>
  'requestedSchema' in question && confirm(question.message)
    ? { action: 'accept', content: defaultsOf(question.requestedSchema) }
    : { action: 'decline' },
)

element('connect').addEventListener('click', () => void reported(connect))
element('call').addEventListener('click', () => void reported(call))

async function connect(): Promise<void> {
  await client.close()
  await client.connect(textOf('server'))
  const tools = await client.tools()
  element('tools').replaceChildren(
    ...tools.map(({ name, description }) => new Option(`${name}: ${description ?? ''}`, name)),
  )
  show('status', `${client.serverInfo?.name ?? 'a server'} speaks ${client.protocolVersion ?? '?'}`)
}

async function call(): Promise<void> {
  const args: unknown = JSON.parse(textOf('arguments'))
  const { content } = await client.callTool(textOf('tools'), Object(args), {
    onProgress: ({ progress, total }) => show('status', `${progress} of ${total ?? 'many'}`),
  })
  show(
    'result',
    content.map((block) => (block.type === 'text' ? block.text : block.type)).join('\n'),
  )
}

async function reported(action: () => Promise<void>): Promise<void> {
  try {
    await action()
  } catch (error) {
    show('status', String(error))
  }
}

function element(id: string): HTMLElement {
  const found = document.getElementById(id)
  if (found === null) throw new TypeError(`the page has no #${id}`)
  return found
}

function textOf(id: string): string {
  const field = element(id)
  const typed = field instanceof HTMLInputElement || field instanceof HTMLSelectElement
  return typed ? field.value : ''
}

function show(id: string, text: string): void {
  element(id).textContent = text
}
