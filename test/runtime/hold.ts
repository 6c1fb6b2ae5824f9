/**
 * A server that is left a thousand times, and says what it keeps.
 *
 * @module
 */
import type { RunningServer } from 'mcp-edge/http'
import { server, setups } from './fixture.ts'

type Options = ReturnType<typeof setups>['sessions'] & {
  readonly port: number
  readonly closeOnSignals: boolean
}

/**
 * Serves until a signal comes.
 *
 * @param serve the `serve` of the runtime's adapter
 * @param heap collects garbage and counts the bytes in use
 */
export async function hold(
  serve: (options: Options) => RunningServer | Promise<RunningServer>,
  heap: () => number | Promise<number>,
): Promise<void> {
  const running = await serve({ ...setups().sessions, port: 0, closeOnSignals: true })
  server.tool('stats', {}, () => JSON.stringify(running.handler.stats()))
  server.tool('heap', {}, async () => String(await heap()))
  console.log(running.url)
}
