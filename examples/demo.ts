/** The demo behind `npm start`: a small server, real enough to play with. */
import process from 'node:process'
import { memoryEvents } from 'mcp-edge'
import { serve } from 'mcp-edge/node'
import { almanac } from './demo/server.ts'

const port = Number(process.env['PORT'] ?? 8787)
const options = { port, closeOnSignals: true, events: memoryEvents() }
const { url } = await serve(almanac(), options).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
})

console.log(`The almanac answers at ${url}`)
console.log(`Connect a client, for example: claude mcp add --transport http almanac ${url}`)
