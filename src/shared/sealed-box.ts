/**
 * Text that only we can read and nobody can change: authenticated encryption with keys that rotate.
 *
 * @see https://www.w3.org/TR/webcrypto/#aes-gcm
 * @module
 */
import { fromBase64Url, toBase64Url } from './bytes.ts'

/** A key: 32 bytes as base64url, or an AES-GCM key of the platform. */
export type SealingKey = string | InstanceType<typeof CryptoKey>

const KEY_BYTES = 32
const USES: KeyUsage[] = ['encrypt', 'decrypt']
/** Recommended for GCM: with random values, one key may seal billions of texts. */
const IV_BYTES = 12

/** Seals and opens texts. The first key seals; all of them open, so that keys can be replaced. */
export class SealedBox {
  readonly #keys: readonly (() => Promise<CryptoKey>)[]

  /**
   * @param keys one or more keys, the newest first
   * @param option the option they come from, for messages
   * @throws {TypeError} if there is none, or one is not a key; a passphrase is not
   */
  constructor(keys: readonly SealingKey[], option: string) {
    if (!Array.isArray(keys)) throw new TypeError(`${option} must be an array of keys`)
    if (keys.length === 0) throw new TypeError(`${option} needs at least one key`)
    this.#keys = keys.map((key) => toImport(key, option))
  }

  /**
   * Seals a text.
   *
   * @param text what to hide
   * @param context what has to be the same when it is opened; it is bound, not included
   */
  async seal(text: string, context: string): Promise<string> {
    const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES))
    const key = await this.#keys[0]?.()
    if (key === undefined) throw new TypeError('a sealed box without keys')
    const sealed = await crypto.subtle.encrypt(parameters(iv, context), key, utf8(text))
    const joined = new Uint8Array(IV_BYTES + sealed.byteLength)
    joined.set(iv)
    joined.set(new Uint8Array(sealed), IV_BYTES)
    return toBase64Url(joined)
  }

  /**
   * Opens a sealed text.
   *
   * @param sealed what {@link seal} gave
   * @param context what it was sealed with
   * @returns undefined when it was not sealed by one of our keys, for this context, or was changed
   */
  async open(sealed: string, context: string): Promise<string | undefined> {
    const bytes = fromBase64Url(sealed)
    if (bytes === undefined || bytes.length <= IV_BYTES) return undefined
    const iv = bytes.subarray(0, IV_BYTES)
    for (const importKey of this.#keys) {
      const opened = await decrypted(
        await importKey(),
        bytes.subarray(IV_BYTES),
        parameters(iv, context),
      )
      if (opened !== undefined) return new TextDecoder().decode(opened)
    }
    return undefined
  }
}

async function decrypted(
  key: CryptoKey,
  sealed: Uint8Array<ArrayBuffer>,
  algorithm: AesGcmParams,
): Promise<ArrayBuffer | undefined> {
  try {
    return await crypto.subtle.decrypt(algorithm, key, sealed)
  } catch {
    // Another key may fit; that none does is an answer, not an error.
    return undefined
  }
}

function parameters(iv: Uint8Array<ArrayBuffer>, context: string): AesGcmParams {
  return { name: 'AES-GCM', iv, additionalData: utf8(context) }
}

function utf8(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}

/** Imported at first use: some platforms allow no cryptography before the first request. */
function toImport(key: SealingKey, option: string): () => Promise<CryptoKey> {
  if (typeof key === 'object') return () => Promise.resolve(key)
  const bytes = bytesOf(key)
  if (bytes?.length !== KEY_BYTES) {
    throw new TypeError(
      `${option}: a key is ${KEY_BYTES} random bytes as base64url, not a passphrase`,
    )
  }
  let imported: CryptoKey | undefined
  return async () => {
    // The key is kept, not the promise: on Workers no request may wait for another's promise.
    imported ??= await crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, USES)
    return imported
  }
}

/** An environment variable that is not set arrives as undefined, whatever the types say. */
function bytesOf(key: unknown): Uint8Array<ArrayBuffer> | undefined {
  return typeof key === 'string' ? fromBase64Url(key) : undefined
}
