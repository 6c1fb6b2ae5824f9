/** The server that clients leave, under Deno. */
import { serve } from 'mcp-edge/deno'
import { server } from './fixture.ts'
import { hold } from './hold.ts'

/** The little of Deno this file needs. */
declare const Deno: { readonly memoryUsage: () => { readonly heapUsed: number } }

await hold(
  (options) => serve(server, options),
  async () => {
    for (let turn = 0; turn < 3; turn += 1) {
      globalThis.gc?.()
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    return Deno.memoryUsage().heapUsed
  },
)
