/**
 * The shopping list as an MCP server.
 *
 * @module
 */
import { McpServer } from 'mcp-edge'
import * as z from 'zod'
import { shoppingList } from './shopping-list.ts'

const LIST = 'list://shopping'

/** Makes the server. */
export function shoppingServer(): McpServer {
  const server = new McpServer({
    name: 'shopping-list',
    version: '1.0.0',
    instructions: `The list is the resource ${LIST}; subscribe to see others change it.`,
  })
  const list = shoppingList()

  server.tool(
    'put',
    {
      description: 'Put something on the list, or change how much of it',
      input: z.object({ name: z.string().min(1).max(80), amount: z.int().min(1).default(1) }),
    },
    async (item, ctx) => {
      list.put(item)
      await ctx.notify.resourceUpdated(LIST)
      return `${item.amount} × ${item.name} is on the list.`
    },
  )

  server.tool('clear', { description: 'Empty the list; asks before' }, async (_input, ctx) => {
    const count = list.items().length
    const answer = await ctx.elicit('sure', {
      message: `Throw away a list of ${count}?`,
      schema: z.object({ yes: z.boolean().default(false) }),
    })
    if (answer.action !== 'accept' || !answer.content.yes) return 'The list stays.'
    list.clear()
    await ctx.notify.resourceUpdated(LIST)
    return 'The list is empty.'
  })

  server.tool(
    'shop',
    { description: 'Go shopping: reports each thing that is found' },
    async (_input, ctx) => {
      const items = list.items()
      for (const [index, { name }] of items.entries()) {
        ctx.signal.throwIfAborted()
        await ctx.progress(index + 1, { total: items.length, message: `found ${name}` })
      }
      return `Bought ${items.length} things.`
    },
  )

  server.resource(LIST, { name: 'shopping', mimeType: 'application/json' }, () =>
    JSON.stringify(list.items()),
  )
  return server
}
