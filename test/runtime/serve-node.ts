/** The server that clients leave, under Node. */
import process from 'node:process'
import { serve } from 'mcp-edge/node'
import { server } from './fixture.ts'
import { hold } from './hold.ts'

await hold(
  (options) => serve(server, options),
  async () => {
    for (let turn = 0; turn < 3; turn += 1) {
      globalThis.gc?.()
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    return process.memoryUsage().heapUsed
  },
)
