/**
 * Asking a Durable Object something.
 *
 * @module
 */
import { isRecord } from 'mcp-edge/protocol'
import { MAX_ATTEMPTS, RETRY_MS } from './limits.ts'
import type { ObjectNamespace, ObjectStub } from './types.ts'

/** One Durable Object, by name. */
export interface ObjectAddress {
  readonly namespace: ObjectNamespace
  readonly name: string
}

/** What is asked. */
export interface Question {
  readonly path: string
  readonly body: unknown
}

/**
 * A stub, always a new one: a stub never works again once its object was reset.
 *
 * @param address which object
 */
export function stubOf({ namespace, name }: ObjectAddress): ObjectStub {
  return namespace.get(namespace.idFromName(name))
}

/** The URL of a path; the host means nothing to an object. */
export function urlOf(path: string): string {
  return `https://object${path}`
}

/**
 * Asks an object, again where it was reset meanwhile: what is asked must be safe to ask twice.
 *
 * @param address which object
 * @param question path and body
 * @throws {Error} if it cannot be reached, or refuses
 */
export async function ask(
  address: ObjectAddress,
  { path, body }: Question,
): Promise<Record<string, unknown>> {
  const text = JSON.stringify(body)
  for (let attempt = 1; ; attempt += 1) {
    try {
      const response = await stubOf(address).fetch(urlOf(path), { method: 'POST', body: text })
      return await answerIn(response)
    } catch (error) {
      if (attempt >= MAX_ATTEMPTS || error instanceof RefusedError) throw error
      await pause(RETRY_MS * 2 ** (attempt - 1))
    }
  }
}

/** The object understood, and said no. */
class RefusedError extends Error {
  override readonly name = 'RefusedError'
}

async function answerIn(response: Response): Promise<Record<string, unknown>> {
  if (response.status >= 400 && response.status < 500) {
    throw new RefusedError(await response.text())
  }
  const value: unknown = await response.json()
  if (isRecord(value)) return value
  throw new Error('A Durable Object gave an answer that is not an object')
}

/**
 * Waits, a little shorter or longer by chance, so that many do not come back together.
 *
 * @param ms about how long
 */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, spread(ms))
  })
}

/**
 * A delay, shorter or longer by up to a quarter.
 *
 * @param ms about how long
 */
export function spread(ms: number): number {
  return Math.ceil(ms * (0.75 + Math.random() / 2))
}
