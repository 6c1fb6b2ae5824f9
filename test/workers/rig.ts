/**
 * The test Worker in real workerd, through one of the two miniflares that are installed.
 *
 * @module
 */
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { isRecord } from '../support/events.ts'
import { legacy } from '../support/requests.ts'
import type { RequestOverrides } from '../support/requests.ts'

/** The key of all tests. */
const KEY = 'A'.repeat(43)

interface Instance {
  readonly ready: Promise<URL>
  readonly dispose: () => Promise<void>
  readonly unsafeGetDirectURL?: (worker: string) => Promise<URL>
}

/** The little of miniflare that is used; version 5 wants its options converted. */
interface MiniflareModule {
  readonly Miniflare: new (options: unknown) => Instance
  readonly convertV4MiniflareOptions?: ((options: unknown) => unknown) | undefined
}

/** Which workerd: 1.20260730, which never fires a stream's `cancel`, or 1.20261117. */
export type Runtime = 'old' | 'new'

/** A Worker to start. */
export interface WorkerSpec {
  /** What to run, from this folder; default the test Worker. The first one's counts for all. */
  readonly entry?: string | undefined
  readonly name?: string | undefined
  /** The bindings, by name. */
  readonly vars?: Readonly<Record<string, string>> | undefined
  readonly objects?: boolean | undefined
  /** The Worker that has the classes; default this one. */
  readonly scriptName?: string | undefined
  readonly kv?: boolean | undefined
  readonly flags?: readonly string[] | undefined
  /** A folder that storage outlives the Worker in. */
  readonly persist?: string | undefined
}

/** A Worker that runs. */
export interface RunningWorker {
  readonly url: string
  readonly send: (request: Request) => Promise<Response>
  /** Asks the test Worker's control routes. */
  readonly control: (path: string) => Promise<Readonly<Record<string, unknown>>>
  readonly initialize: (overrides?: RequestOverrides) => Promise<string>
}

/** The bundled test Worker. */
async function bundled(entry = '../../workers/test/worker.ts', minify = false): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(entry, import.meta.url))],
    bundle: true,
    write: false,
    minify,
    format: 'esm',
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['mcp-edge-source', 'workerd'],
    target: 'es2022',
  })
  return outputFiles[0]?.text ?? ''
}

/** Workers that run together, the first at its own port as well as the others. */
export class Rig {
  readonly #instance: Instance
  readonly workers: readonly RunningWorker[]

  private constructor(instance: Instance, workers: readonly RunningWorker[]) {
    this.#instance = instance
    this.workers = workers
  }

  /** Starts Workers in one miniflare. */
  static async start(runtime: Runtime, ...specs: readonly WorkerSpec[]): Promise<Rig> {
    const script = await bundled(specs[0]?.entry)
    const { Miniflare, convertV4MiniflareOptions: convert } = load(runtime)
    const all = specs.map((spec, index) => toWorker(script, spec, index))
    const { persist } = specs[0] ?? {}
    const shared = persist === undefined ? {} : { resourcePersistencePath: persist }
    const options = { workers: all, host: '127.0.0.1', port: 0, ...shared }
    const instance = new Miniflare(convert === undefined ? options : convert(options))
    const ready = await instance.ready
    const urls = await Promise.all(
      all.map(async ({ name }, index) =>
        index === 0 ? ready : ((await instance.unsafeGetDirectURL?.(name)) ?? ready),
      ),
    )
    return new Rig(instance, urls.map(toRunning))
  }

  /** The only Worker. */
  get worker(): RunningWorker {
    const [first] = this.workers
    if (first === undefined) throw new Error('no Worker was started')
    return first
  }

  stop(): Promise<void> {
    return this.#instance.dispose()
  }
}

function toWorker(script: string, spec: WorkerSpec, index: number): { name: string } {
  const { name = `worker${index}`, vars = {}, objects = true, scriptName, kv = false } = spec
  const bound = (className: string): unknown =>
    scriptName === undefined
      ? { className, useSQLite: true }
      : { className, useSQLite: true, scriptName }
  const worker = {
    name,
    modules: true,
    script,
    compatibilityDate: '2026-07-01',
    compatibilityFlags: spec.flags ?? ['enable_request_signal'],
    bindings: { MCP_STATE_KEYS: KEY, GREETING: 'hello', ...vars },
    ...(objects
      ? { durableObjects: { MCP_SESSIONS: bound('McpSession'), MCP_HUB: bound('McpHub') } }
      : {}),
    ...(kv ? { kvNamespaces: ['MCP_KV'] } : {}),
    ...(index === 0 ? {} : { unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }] }),
  }
  return worker
}

function toRunning(base: URL): RunningWorker {
  const url = new URL('/mcp', base).href
  const send = (request: Request): Promise<Response> => fetch(new Request(url, request))
  return {
    url,
    send,
    control: async (path) => {
      const response = await fetch(new URL(`/test/${path}`, base))
      const text = await response.text()
      if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`)
      const value: unknown = text === '' ? {} : JSON.parse(text)
      return isRecord(value) ? value : { value }
    },
    initialize: async (overrides = {}) => {
      const response = await send(legacy('initialize', {}, { url, ...overrides }))
      const id = response.headers.get('mcp-session-id')
      const text = await response.text()
      if (id === null) throw new Error(`no session: ${response.status} ${text}`)
      return id
    },
  }
}

function load(runtime: Runtime): MiniflareModule {
  const here = createRequire(import.meta.url)
  const from = runtime === 'new' ? createRequire(here.resolve('wrangler/package.json')) : here
  const loaded: unknown = from('miniflare')
  if (isRecord(loaded) && isMiniflare(loaded)) return loaded
  throw new Error('no Miniflare')
}

function isMiniflare(value: object): value is MiniflareModule {
  return 'Miniflare' in value && typeof value.Miniflare === 'function'
}

/** Waits until something holds. */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  withinMs = 10_000,
): Promise<void> {
  const deadline = Date.now() + withinMs
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error(`not within ${withinMs} ms: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
