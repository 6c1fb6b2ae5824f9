/**
 * Session ids that prove themselves: whoever holds the key tells a forged id from a real one without
 * asking the place where sessions are kept.
 *
 * @see https://www.w3.org/TR/webcrypto/#hmac
 * @module
 */
import { MAX_VERIFIED_IDS, SESSION_MAX_AGE_MS } from '../protocol/limits.ts'
import { equalBytes, fromBase64Url, toBase64Url } from '../shared/bytes.ts'
import type { Clock } from '../shared/clock.ts'
import { systemClock } from '../shared/clock.ts'
import { limitOf } from '../shared/limits-options.ts'
import type { SessionAsker } from './session-store.ts'

/** What ids are made with. */
export interface SessionIdsOptions {
  /** Keys, the newest first: 32 random bytes each, as base64url. The first signs, all of them verify. */
  readonly keys: readonly string[]
  /** Milliseconds after which an id is worth nothing. @default 86400000, a day */
  readonly maxAgeMs?: number | undefined
  /** @default the platform's */
  readonly clock?: Pick<Clock, 'now'> | undefined
}

/** An id that is genuine. */
export interface VerifiedId {
  readonly id: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

interface Known extends VerifiedId {
  /** The owner that the id was found to belong to, once somebody asked. */
  owner?: SessionAsker | undefined
  readonly mark: string
  readonly key: SigningKey
}

interface SigningKey {
  readonly name: string
  readonly key: CryptoKey
}

const KEY_BYTES = 32
const RANDOM_BYTES = 16
/** Enough to tell owners apart; it only spares a look-up, the record decides. */
const MARK_BYTES = 8
const NAME_CHARS = 6
const FORM = /^v1\.([\w-]{6})\.[\w-]{22}\.([0-9a-z]{1,9})\.([\w-]{54})$/

/**
 * Makes and verifies ids of the form `v1.<key>.<random>.<expiry>.<MAC>`: the expiry in seconds as
 * base 36; the MAC an HMAC-SHA-256 over all of it, behind a keyed hash of the owner that it covers too.
 */
export class SessionIds {
  readonly #keys: readonly (() => Promise<SigningKey>)[]
  readonly #maxAgeMs: number
  readonly #clock: Pick<Clock, 'now'>
  /** Genuine ids, the longest known first. */
  readonly #known = new Map<string, Known>()

  /**
   * @param options keys and lifetime
   * @param option the option that the keys come from, for messages
   * @throws {TypeError} if there is no key, or one is not a key; a passphrase is not
   */
  constructor(options: SessionIdsOptions, option: string) {
    const { keys, maxAgeMs, clock } = options
    if (keys.length === 0) throw new TypeError(`${option} needs at least one key`)
    this.#keys = keys.map((key) => toSigningKey(key, option))
    this.#maxAgeMs = limitOf('maxAgeMs', maxAgeMs, SESSION_MAX_AGE_MS)
    this.#clock = clock ?? systemClock
  }

  /**
   * Makes an id.
   *
   * @param owner the principal that it belongs to
   */
  async create(owner: string | undefined): Promise<VerifiedId> {
    const key = await this.#keys[0]?.()
    if (key === undefined) throw new TypeError('session ids without keys')
    const seconds = Math.ceil((this.#clock.now() + this.#maxAgeMs) / 1000)
    const random = toBase64Url(crypto.getRandomValues(new Uint8Array(RANDOM_BYTES)))
    const body = `v1.${key.name}.${random}.${seconds.toString(36)}`
    const mark = await markOf(key, owner)
    const id = `${body}.${toBase64Url(joined(mark, await signed(key, body, mark)))}`
    const known: Known = {
      id,
      expiresAt: seconds * 1000,
      owner: { owner },
      mark: toBase64Url(mark),
      key,
    }
    this.#remember(known)
    return known
  }

  /**
   * Tells whether an id is genuine and in time, and, where it is known who asks, theirs.
   *
   * @param id any text
   * @param asker who asks
   */
  async verify(id: string, asker?: SessionAsker): Promise<VerifiedId | undefined> {
    const known = this.#known.get(id) ?? (await this.#check(id))
    if (known === undefined) return undefined
    if (known.expiresAt <= this.#clock.now()) {
      this.#known.delete(id)
      return undefined
    }
    if (asker === undefined) return known
    return (await owns(known, asker)) ? known : undefined
  }

  async #check(id: string): Promise<Known | undefined> {
    const [, name, expiry, proof] = FORM.exec(id) ?? []
    const bytes = fromBase64Url(proof ?? '')
    if (expiry === undefined || bytes?.length !== MARK_BYTES + KEY_BYTES) return undefined
    const mark = bytes.subarray(0, MARK_BYTES)
    const body = id.slice(0, id.lastIndexOf('.'))
    for (const imported of this.#keys) {
      const key = await imported()
      if (key.name !== name) continue
      if (!equalBytes(await signed(key, body, mark), bytes.subarray(MARK_BYTES))) continue
      const expiresAt = Number.parseInt(expiry, 36) * 1000
      const known: Known = { id, expiresAt, mark: toBase64Url(mark), key }
      this.#remember(known)
      return known
    }
    return undefined
  }

  #remember(known: Known): void {
    this.#known.set(known.id, known)
    const [oldest] = this.#known.keys()
    if (this.#known.size > MAX_VERIFIED_IDS && oldest !== undefined) this.#known.delete(oldest)
  }
}

async function owns(known: Known, asker: SessionAsker): Promise<boolean> {
  if (known.owner !== undefined) return known.owner.owner === asker.owner
  const mark = toBase64Url(await markOf(known.key, asker.owner))
  if (mark !== known.mark) return false
  known.owner = { owner: asker.owner }
  return true
}

async function markOf({ key }: SigningKey, owner: string | undefined): Promise<Uint8Array> {
  const text = owner === undefined ? 'nobody' : `owner:${owner}`
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, utf8(text)), 0, MARK_BYTES)
}

async function signed({ key }: SigningKey, body: string, mark: Uint8Array): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, joined(utf8(`id:${body}.`), mark)))
}

function joined(head: Uint8Array, tail: Uint8Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(head.length + tail.length)
  bytes.set(head)
  bytes.set(tail, head.length)
  return bytes
}

function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}

/** Imported at first use: some platforms allow no cryptography before the first request. */
function toSigningKey(text: string, option: string): () => Promise<SigningKey> {
  const bytes = fromBase64Url(text)
  if (bytes?.length !== KEY_BYTES) {
    throw new TypeError(
      `${option}: a key is ${KEY_BYTES} random bytes as base64url, not a passphrase`,
    )
  }
  let imported: SigningKey | undefined
  return async () => {
    imported ??= await importKey(bytes)
    return imported
  }
}

/** The key that signs is derived, so that a key may serve for sealing too. */
async function importKey(bytes: Uint8Array<ArrayBuffer>): Promise<SigningKey> {
  const derived = await crypto.subtle.digest(
    'SHA-256',
    joined(utf8('mcp-edge session ids '), bytes),
  )
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', derived, algorithm, false, ['sign'])
  const name = await crypto.subtle.sign('HMAC', key, utf8('name'))
  return { name: toBase64Url(new Uint8Array(name)).slice(0, NAME_CHARS), key }
}
