/**
 * Where an OAuth provider keeps what must outlive a request: tokens, client registrations, and the
 * state of a sign-in that is under way. One storage belongs to one user.
 *
 * @module
 */

/**
 * Keeps short strings by key. The values hold tokens and client secrets: keep them where only this
 * user, or this server on their behalf, can read them. Keys are printable text of any length.
 */
export interface TokenStorage {
  /** The value under `key`, or undefined. */
  get(key: string): Promise<string | undefined>
  /** Keeps `value` under `key` until it is replaced or deleted. */
  set(key: string, value: string): Promise<void>
  /** Forgets `key`; what is not there is fine. */
  delete(key: string): Promise<void>
  /** Returns and forgets in one step, so that the state of a sign-in is used once. */
  take(key: string): Promise<string | undefined>
  /**
   * Runs `work` while nobody else, in any process or isolate that shares this storage, runs work under
   * the same key. With it, tokens are refreshed once however many processes need them; without it, once
   * in each.
   */
  lock?<T>(key: string, work: () => Promise<T>): Promise<T>
}

/** Keeps everything in memory: gone with the process, which then signs in again. */
export function memoryTokens(): TokenStorage {
  const values = new Map<string, string>()
  return {
    get: async (key) => values.get(key),
    set: async (key, value) => {
      values.set(key, value)
    },
    delete: async (key) => {
      values.delete(key)
    },
    take: async (key) => {
      const value = values.get(key)
      values.delete(key)
      return value
    },
  }
}
