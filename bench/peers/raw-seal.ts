/**
 * The floor's sealed state: AES-256-GCM by WebCrypto, as base64url.
 *
 * @module
 */

/** Seals and opens state with one random key. */
export function openSeal(): {
  seal(state: unknown): Promise<string>
  open(token: string): Promise<unknown>
} {
  const ready = crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, [
    'encrypt',
    'decrypt',
  ])
  return {
    async seal(state) {
      const key = await ready
      const iv = crypto.getRandomValues(new Uint8Array(12))
      const plain = new TextEncoder().encode(JSON.stringify(state))
      const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, plain)
      return Buffer.concat([iv, new Uint8Array(sealed)]).toString('base64url')
    },
    async open(token) {
      const key = await ready
      const bytes = Buffer.from(token, 'base64url')
      const iv = bytes.subarray(0, 12)
      const plain = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, bytes.subarray(12))
      return JSON.parse(new TextDecoder().decode(plain))
    },
  }
}
