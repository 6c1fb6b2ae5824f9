/**
 * Unguessable values, and the proof that whoever redeems a code is whoever asked for it.
 *
 * @see https://www.rfc-editor.org/rfc/rfc7636
 * @module
 */
import { base64url } from 'jose'

/** A secret kept here, and its digest that travels through the browser. */
export interface Pkce {
  readonly verifier: string
  /** The S256 challenge of the verifier. */
  readonly challenge: string
}

/** Makes a verifier of 256 random bits and its S256 challenge. */
export async function createPkce(): Promise<Pkce> {
  const verifier = randomToken()
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  return { verifier, challenge: base64url.encode(new Uint8Array(digest)) }
}

/** 256 random bits as base64url, for states, verifiers and token ids. */
export function randomToken(): string {
  return base64url.encode(crypto.getRandomValues(new Uint8Array(32)))
}
