/**
 * The little of the Workers platform that is used, so that nobody needs its type package.
 *
 * @see https://developers.cloudflare.com/durable-objects/api/
 * @module
 */

/** Names one Durable Object. */
export interface ObjectId {
  toString(): string
}

/** The way to one Durable Object. It is dead once the object was reset: ask the namespace for a new one. */
export interface ObjectStub {
  fetch(input: string, init?: RequestInit): Promise<Response>
}

/** A binding of a Durable Object class. */
export interface ObjectNamespace {
  idFromName(name: string): ObjectId
  get(id: ObjectId): ObjectStub
}

/** A WebSocket of the platform, at either end. */
export interface PlatformSocket {
  accept(): void
  send(text: string): void
  close(code?: number, reason?: string): void
  /** At most 16 KiB that outlive the memory of the object. */
  serializeAttachment(value: unknown): void
  deserializeAttachment(): unknown
  addEventListener(type: 'message', listener: (event: { readonly data?: unknown }) => void): void
  addEventListener(type: 'close', listener: (event: { readonly code?: number }) => void): void
  addEventListener(type: 'error', listener: () => void): void
}

/** Rows of a query. */
export interface SqlRows {
  toArray(): Record<string, unknown>[]
}

/** The storage of a Durable Object with SQLite. */
export interface ObjectStorage {
  readonly sql: { exec(query: string, ...bindings: unknown[]): SqlRows }
  getAlarm(): Promise<number | null>
  setAlarm(time: number): Promise<void>
  deleteAlarm(): Promise<void>
  deleteAll(): Promise<void>
}

/** What a Durable Object gets to live with. */
export interface ObjectState {
  readonly storage: ObjectStorage
  acceptWebSocket(socket: PlatformSocket): void
  getWebSockets(): PlatformSocket[]
}

/** A binding of a KV namespace. */
export interface KvNamespace {
  get(key: string): Promise<string | null>
  put(
    key: string,
    value: string,
    options?: { readonly expirationTtl?: number; readonly metadata?: unknown },
  ): Promise<void>
  delete(key: string): Promise<void>
  list(options: { readonly prefix: string; readonly cursor?: string | null }): Promise<KvPage>
}

/** A page of keys. */
export interface KvPage {
  readonly keys: readonly { readonly name: string; readonly metadata?: unknown }[]
  readonly list_complete: boolean
  readonly cursor?: string
}
