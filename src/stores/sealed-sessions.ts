/**
 * Sessions that nobody keeps: the id carries the record, sealed.
 *
 * @module
 */
import { InvalidRequestError } from '../protocol/errors.ts'
import {
  MAX_SEALED_SESSION_CHARS,
  MAX_VERIFIED_IDS,
  SESSION_MAX_AGE_MS,
} from '../protocol/limits.ts'
import type { Clock } from '../shared/clock.ts'
import { systemClock } from '../shared/clock.ts'
import { limitOf } from '../shared/limits-options.ts'
import { SealedBox } from '../shared/sealed-box.ts'
import type { SealingKey } from '../shared/sealed-box.ts'
import { newRecord, readRecord } from './kept-record.ts'
import type {
  SessionAsker,
  SessionInit,
  SessionPatch,
  SessionRecord,
  SessionStore,
  SessionTraits,
} from './session-store.ts'

/** What sealed sessions are made with. */
export interface SealedSessionsOptions {
  /** Keys, the newest first: 32 random bytes as base64url, or a CryptoKey. Every process needs the same. */
  readonly keys: readonly SealingKey[]
  /** Milliseconds a session lasts, used or not. @default 86400000, a day */
  readonly maxAgeMs?: number | undefined
  /** @default the platform's */
  readonly clock?: Pick<Clock, 'now'> | undefined
}

/**
 * Makes a session store without storage: the id is the record, encrypted, in at most
 * `MAX_SEALED_SESSION_CHARS` characters. It serves any number of processes and isolates that share
 * the keys. What would have to be remembered is refused: log levels, subscriptions, questions, and an
 * early end.
 *
 * @param options keys and lifetime
 * @throws {TypeError} if there is no key, or one is not a key
 */
export function sealedSessions(options: SealedSessionsOptions): SessionStore {
  return new SealedSessions(options)
}

const TRAITS: SessionTraits = { mutable: false, consistent: true, mail: false }
const PREFIX = 's1.'
const CONTEXT = 'mcp-edge session'

interface Opened {
  readonly record: SessionRecord
  readonly expiresAt: number
}

class SealedSessions implements SessionStore {
  readonly traits = TRAITS
  readonly #box: SealedBox
  readonly #maxAgeMs: number
  readonly #clock: Pick<Clock, 'now'>
  /** What was opened lately, the longest known first. */
  readonly #opened = new Map<string, Opened>()

  constructor({ keys, maxAgeMs, clock }: SealedSessionsOptions) {
    this.#box = new SealedBox(keys, 'sealedSessions: keys')
    this.#maxAgeMs = limitOf('maxAgeMs', maxAgeMs, SESSION_MAX_AGE_MS)
    this.#clock = clock ?? systemClock
  }

  async create(init: SessionInit): Promise<SessionRecord> {
    const createdAt = this.#clock.now()
    const expiresAt = createdAt + this.#maxAgeMs
    const record = { ...newRecord(init, createdAt), uris: [] }
    const id = (await this.#seal(init, createdAt)) ?? (await this.#seal(brief(init), createdAt))
    if (id === undefined) {
      throw new InvalidRequestError(
        `What the client says of itself does not fit into ${MAX_SEALED_SESSION_CHARS} characters; this server keeps sessions in their ids`,
      )
    }
    const made: SessionRecord = { id, ...record }
    this.#remember(id, { record: made, expiresAt })
    return made
  }

  async get(id: string, asker?: SessionAsker): Promise<SessionRecord | undefined> {
    const opened = this.#opened.get(id) ?? (await this.#open(id))
    if (opened === undefined || opened.expiresAt <= this.#clock.now()) return undefined
    const { record } = opened
    return asker === undefined || asker.owner === record.owner ? record : undefined
  }

  update(_id: string, _patch: SessionPatch): never {
    throw new InvalidRequestError('Sessions of this server cannot change: it keeps none')
  }

  async delete(id: string): Promise<boolean> {
    if ((await this.get(id)) === undefined) return false
    throw new InvalidRequestError('Sessions of this server end by themselves: it keeps none')
  }

  async #seal(init: SessionInit, createdAt: number): Promise<string | undefined> {
    const { revision, clientInfo, capabilities, owner, origin } = init
    const text = JSON.stringify({ revision, clientInfo, capabilities, owner, origin, createdAt })
    const id = PREFIX + (await this.#box.seal(text, CONTEXT))
    return id.length <= MAX_SEALED_SESSION_CHARS ? id : undefined
  }

  async #open(id: string): Promise<Opened | undefined> {
    if (!id.startsWith(PREFIX) || id.length > MAX_SEALED_SESSION_CHARS) return undefined
    const text = await this.#box.open(id.slice(PREFIX.length), CONTEXT)
    const record = text === undefined ? undefined : readRecord(id, JSON.parse(text))
    if (record === undefined) return undefined
    const opened = { record, expiresAt: record.createdAt + this.#maxAgeMs }
    this.#remember(id, opened)
    return opened
  }

  #remember(id: string, opened: Opened): void {
    this.#opened.set(id, opened)
    const [oldest] = this.#opened.keys()
    if (this.#opened.size > MAX_VERIFIED_IDS && oldest !== undefined) this.#opened.delete(oldest)
  }
}

/** A name and a version fit always; pictures and descriptions may not. */
function brief(init: SessionInit): SessionInit {
  const { name, version } = init.clientInfo
  return { ...init, clientInfo: { name, version } }
}
