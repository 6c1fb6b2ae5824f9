/**
 * The platform as the test Worker sees it, and a KV that lags.
 *
 * @module
 */
import type { KvNamespace, ObjectNamespace } from 'mcp-edge/workers'

/** What the test Worker is bound to. */
export interface Env {
  readonly MCP_SESSIONS?: ObjectNamespace | undefined
  readonly MCP_HUB?: ObjectNamespace | undefined
  readonly MCP_KV?: KvNamespace | undefined
  readonly MCP_STATE_KEYS?: string | undefined
  readonly GREETING?: string | undefined
  readonly KEEPALIVE_MS?: string | undefined
  readonly AUTH?: string | undefined
  readonly MODE?: string | undefined
  readonly IDLE_MS?: string | undefined
}

/** The state of an object, as far as tests look at it. */
export interface TestState {
  readonly storage: {
    readonly sql: {
      exec(query: string, ...bindings: unknown[]): { toArray(): Record<string, unknown>[] }
    }
    getAlarm(): Promise<number | null>
    setAlarm(time: number): Promise<void>
    deleteAlarm(): Promise<void>
    deleteAll(): Promise<void>
  }
  acceptWebSocket(socket: Socket): void
  getWebSockets(): Socket[]
  abort(reason: string): void
}

/** A socket, as far as objects use it. */
interface Socket {
  accept(): void
  send(text: string): void
  close(code?: number, reason?: string): void
  serializeAttachment(value: unknown): void
  deserializeAttachment(): unknown
  addEventListener(type: string, listener: (event: object) => void): void
}

/** A namespace of its own for each caller: the same objects under other names. */
export function prefixed(namespace: ObjectNamespace, prefix: string): ObjectNamespace {
  return {
    idFromName: (name) => namespace.idFromName(`${prefix}/${name}`),
    get: (id) => namespace.get(id),
  }
}

/** A KV of its own for each caller. */
export function prefixedKv(kv: KvNamespace, prefix: string): KvNamespace {
  return {
    get: (key) => kv.get(prefix + key),
    put: (key, value, options) => kv.put(prefix + key, value, options),
    delete: (key) => kv.delete(prefix + key),
    list: async (options) => {
      const page = await kv.list({ ...options, prefix: prefix + options.prefix })
      const keys = page.keys.map((key) => ({ ...key, name: key.name.slice(prefix.length) }))
      return { ...page, keys }
    },
  }
}

interface Version {
  readonly at: number
  readonly value: string | null
  readonly metadata: unknown
}

/**
 * A KV whose readers see each write only after a while, "not found" included.
 *
 * @param now the time
 * @param delayMs how long
 */
export function kvWithDelay(now: () => number, delayMs: number): KvNamespace {
  const versions = new Map<string, Version[]>()
  const write = (key: string, value: string | null, metadata?: unknown): Promise<void> => {
    const known = versions.get(key) ?? []
    versions.set(key, [...known, { at: now(), value, metadata }])
    return Promise.resolve()
  }
  const read = (key: string): Version | undefined =>
    versions.get(key)?.findLast(({ at }) => at + delayMs <= now())
  return {
    get: async (key) => read(key)?.value ?? null,
    put: (key, value, options) => write(key, value, options?.metadata),
    delete: (key) => write(key, null),
    list: async ({ prefix }) => ({
      keys: [...versions.keys()]
        .filter((key) => key.startsWith(prefix) && typeof read(key)?.value === 'string')
        .toSorted()
        .map((name) => ({ name, metadata: read(name)?.metadata })),
      list_complete: true,
    }),
  }
}
