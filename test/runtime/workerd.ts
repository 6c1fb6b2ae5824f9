/** The suite in workerd, through the miniflare named on the command line: the old runtime, or the one of wrangler. */
import { createRequire } from 'node:module'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { isRecord } from '../support/events.ts'
import { report, runCases, type Outcome } from './report.ts'
import { overSockets } from './sockets.ts'

interface Instance {
  readonly ready: Promise<URL>
  readonly getInspectorURL: () => Promise<URL>
  readonly dispose: () => Promise<void>
}

/** The little of miniflare this file needs; version 5 wants its options converted. */
interface MiniflareModule {
  readonly Miniflare: new (options: unknown) => Instance
  readonly convertV4MiniflareOptions?: ((options: unknown) => unknown) | undefined
}

const bundled = await build({
  entryPoints: [process.argv[3] ?? fileURLToPath(new URL('worker.ts', import.meta.url))],
  bundle: true,
  write: false,
  format: 'esm',
  platform: 'neutral',
  mainFields: ['module', 'main'],
  target: 'es2022',
})
const script = bundled.outputFiles[0]?.text ?? ''

const serves = process.argv[4] === 'serve'
// What a Worker holds can be told only after its garbage has been collected.
if (serves) process.env['MINIFLARE_WORKERD_V8_FLAGS'] = '--expose-gc'
const { Miniflare, convertV4MiniflareOptions: convert } = await load(process.argv[2] ?? 'miniflare')
const options = {
  modules: true,
  script,
  compatibilityDate: '2026-07-01',
  compatibilityFlags: ['enable_request_signal'],
  host: '127.0.0.1',
  port: 0,
  ...(serves ? { inspectorPort: 0 } : {}),
}
const instance = new Miniflare(convert === undefined ? options : convert(options))
const { origin } = await instance.ready
if (serves) await serve()
else await runSuite()

async function runSuite(): Promise<void> {
  // workerd notices that a client left only when something is written to it.
  const at = (place: string): string => `${origin}/${place}`
  const env = { ...overSockets(at, stats), noticesSilence: false, shared: false }
  try {
    report(await runCases('http', env))
    report(outcomes(await (await fetch(`${origin}/suite`)).json()))
  } finally {
    await instance.dispose()
  }
}

/** Serves until a signal comes; says where the endpoint, its counters and the runtime's inspector are. */
async function serve(): Promise<void> {
  const inspector = await instance.getInspectorURL()
  console.log(`${origin}/mcp ${origin} ${inspector.href}`)
  process.once('SIGTERM', () => void instance.dispose())
}

async function stats(): Promise<Readonly<Record<string, number>>> {
  return numbers(await (await fetch(`${origin}/stats`)).json())
}

/** The nested miniflare is found from wrangler, which brings it. */
async function load(name: string): Promise<MiniflareModule> {
  const here = createRequire(import.meta.url)
  const from = name === 'wrangler' ? createRequire(here.resolve('wrangler/package.json')) : here
  const loaded: unknown = from('miniflare')
  if (isMiniflare(loaded)) return loaded
  throw new Error(`no Miniflare in ${name}`)
}

function isMiniflare(value: unknown): value is MiniflareModule {
  return isRecord(value) && typeof value['Miniflare'] === 'function'
}

function numbers(value: unknown): Readonly<Record<string, number>> {
  const entries = isRecord(value) ? Object.entries(value) : []
  return Object.fromEntries(entries.map(([name, count]) => [name, Number(count)]))
}

function outcomes(value: unknown): readonly Outcome[] {
  if (Array.isArray(value)) return value
  throw new Error(`the Worker answered ${JSON.stringify(value)}`)
}
