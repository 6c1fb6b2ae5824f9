/**
 * `requestState`: what a call remembers, sealed so that the client can neither read nor change it,
 * and bound to the very call it was made for.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr#request-state
 * @module
 */
import { principalOf } from '../../protocol/auth-info.ts'
import type { AuthInfo } from '../../protocol/auth-info.ts'
import { InvalidParamsError } from '../../protocol/errors.ts'
import type { Params } from '../../protocol/jsonrpc.ts'
import { MAX_REQUEST_STATE_CHARS, REQUEST_STATE_TTL_MS } from '../../protocol/limits.ts'
import { canonicalJson } from '../../shared/canonical-json.ts'
import type { Clock } from '../../shared/clock.ts'
import { systemClock } from '../../shared/clock.ts'
import { limitOf } from '../../shared/limits-options.ts'
import { toBase64Url } from '../../shared/bytes.ts'
import { SealedBox } from '../../shared/sealed-box.ts'
import type { SealingKey } from '../../shared/sealed-box.ts'

/** How `requestState` is protected. */
export interface RequestStateOptions {
  /**
   * Keys, the newest first: 32 random bytes as base64url, or a CryptoKey. Every process that may
   * answer a retry needs the same.
   */
  readonly keys: readonly SealingKey[]
  /** Milliseconds a state stays valid; each round renews it. @default 600000, as long as a question waits */
  readonly ttlMs?: number | null | undefined
  /** Binds states to one service where several share keys. */
  readonly audience?: string | undefined
}

/** There are no keys where a random one would be of no use, because the next request meets another process. */
export interface MissingKeys {
  /** What the author is told when one is needed: the option, and how to set it. */
  readonly missing: string
}

/** The call that a state belongs to. */
export interface StateOwner {
  readonly method: string
  readonly params: Params
  readonly caller: { readonly auth?: AuthInfo | undefined }
}

/** What states need of the world. */
export interface StatesWorld {
  /** @default the platform's clock */
  readonly clock?: Clock | undefined
  /** Receives the word that a random key is in use. */
  readonly warn?: ((warning: string) => void) | undefined
}

const VERSION = 'v1'
/** One message for everything that can be wrong, so that nobody learns what was. */
export const STATE_REFUSED = 'Invalid or expired requestState'

/** Seals and opens the states of one deployment. */
export class RequestStates {
  readonly #options: RequestStateOptions | 'plain' | undefined
  /** What is thrown where a key is needed; without it, a random one is made. */
  readonly #missing: string | undefined
  readonly #ttlMs: number
  readonly #clock: Clock
  readonly #warn: ((warning: string) => void) | undefined
  #box: SealedBox | undefined

  /**
   * @param options keys and lifetime; `'plain'` leaves protection to whoever writes the state;
   *   without any, a random key of this process is made when it is first needed, or, with
   *   `{ missing }`, whatever needs one fails
   * @param world time and warnings
   * @throws {TypeError} if an option cannot be used
   */
  constructor(options?: RequestStateOptions | 'plain' | MissingKeys, world: StatesWorld = {}) {
    const lacking = typeof options === 'object' && 'missing' in options ? options : undefined
    const given = typeof options === 'object' && 'missing' in options ? undefined : options
    this.#missing = lacking?.missing
    this.#options = given
    this.#clock = world.clock ?? systemClock
    this.#warn = world.warn
    const sealed = given === 'plain' ? undefined : given
    this.#ttlMs = limitOf('requestState.ttlMs', sealed?.ttlMs, REQUEST_STATE_TTL_MS)
    this.#box = sealed === undefined ? undefined : new SealedBox(sealed.keys, 'requestState.keys')
  }

  /** Whether states are the handler's own text, unprotected. */
  get plain(): boolean {
    return this.#options === 'plain'
  }

  /**
   * Seals what a call remembers.
   *
   * @throws {TypeError} if it is too long, or there is no key
   */
  async seal(call: StateOwner, text: string): Promise<string> {
    const expires = this.#clock.now() + this.#ttlMs
    const payload = `${Number.isFinite(expires) ? expires : ''}:${text}`
    const sealed = `${VERSION}.${await this.#boxOf().seal(payload, this.#contextOf(call))}`
    if (sealed.length <= MAX_REQUEST_STATE_CHARS) return sealed
    throw new TypeError(
      `a call remembers more than ${MAX_REQUEST_STATE_CHARS} characters between rounds`,
    )
  }

  /**
   * Opens what a client sent back.
   *
   * @throws {InvalidParamsError} with one message, whatever is wrong
   */
  async open(call: StateOwner, sealed: unknown): Promise<string> {
    const text = typeof sealed === 'string' ? await this.#opened(call, sealed) : undefined
    const [, expires, payload] = /^(\d*):([\s\S]*)$/.exec(text ?? '') ?? []
    const fresh = expires === '' || Number(expires) > this.#clock.now()
    if (payload === undefined || !fresh) throw new InvalidParamsError(STATE_REFUSED)
    return payload
  }

  async #opened(call: StateOwner, sealed: string): Promise<string | undefined> {
    const unreadable = sealed.length > MAX_REQUEST_STATE_CHARS || !sealed.startsWith(`${VERSION}.`)
    // What we never sealed is nothing of ours to open.
    if (unreadable || this.#missing !== undefined) return undefined
    return this.#boxOf().open(sealed.slice(VERSION.length + 1), this.#contextOf(call))
  }

  /** Who calls what with which arguments: a state is worth nothing for anything else. */
  #contextOf(call: StateOwner): string {
    const { _meta, inputResponses: _answers, requestState: _state, ...params } = call.params
    const { auth } = call.caller
    return canonicalJson({
      version: VERSION,
      audience: (this.#options === 'plain' ? undefined : this.#options?.audience) ?? null,
      principal: auth === undefined ? null : principalOf(auth),
      method: call.method,
      params,
    })
  }

  #boxOf(): SealedBox {
    if (this.#missing !== undefined) throw new TypeError(this.#missing)
    if (this.#box === undefined) {
      this.#warn?.(
        'requestState.keys is not set, so this process uses a random key: answers that reach another process are refused',
      )
      const key = toBase64Url(crypto.getRandomValues(new Uint8Array(32)))
      this.#box = new SealedBox([key], 'requestState.keys')
    }
    return this.#box
  }
}
