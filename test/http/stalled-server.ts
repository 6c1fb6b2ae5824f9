/**
 * A process with a server whose listeners a test stalls: publishes 25 MB when it is told to, and says
 * how much memory that took.
 *
 * @module
 */
import process from 'node:process'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { McpServer } from 'mcp-edge'
import { serve } from 'mcp-edge/node'

const server = new McpServer({ name: 'stalled', version: '1.0.0' })
server.resource('test://any', { name: 'any' }, () => 'x')
const running = await serve(server, { port: 0, keepaliveMs: Number(process.argv[2]) })
process.send?.({ url: running.url })

interface Order {
  readonly uris: readonly string[]
  readonly rounds: number
}

process.on('message', (order: Order | 'close') => {
  if (order === 'close') void running.close().then(() => process.disconnect())
  else void burst(order)
})

async function burst({ uris, rounds }: Order): Promise<void> {
  collector()()
  const before = process.memoryUsage.rss()
  let most = before
  const notify = running.handler.notify()
  for (let round = 0; round < rounds; round += 1) {
    for (const uri of uris) {
      await notify.resourceUpdated(uri)
      most = Math.max(most, process.memoryUsage.rss())
    }
  }
  const { listeners } = running.handler.stats()
  process.send?.({ grown: most - before, listeners })
  while (running.handler.stats().listeners > 1) {
    await new Promise((resolve) => {
      setTimeout(resolve, 20)
    })
  }
  process.send?.({ left: running.handler.stats().listeners })
}

function collector(): () => void {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  return typeof collect === 'function' ? () => void collect() : () => undefined
}
