/** The server that clients leave, under Bun. */
import { serve } from 'mcp-edge/bun'
import { server } from './fixture.ts'
import { hold } from './hold.ts'

/** The little of Bun this file needs. */
declare const Bun: { readonly gc: (now: boolean) => number }

await hold(
  (options) => serve(server, options),
  async () => {
    for (let turn = 0; turn < 3; turn += 1) {
      Bun.gc(true)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    return Bun.gc(true)
  },
)
