/**
 * Going on without waiting for what is there already.
 *
 * @module
 */
import type { Awaitable } from './fetch.ts'

/**
 * Goes on with a value: at once where it is there, else when it comes. An `await` would cost a turn
 * of the microtask queue each time, and most stores of most deployments answer at once.
 *
 * @param value the value, or its promise
 * @param use what to do with it
 */
export function after<T, R>(value: Awaitable<T>, use: (value: T) => Awaitable<R>): Awaitable<R> {
  return value instanceof Promise ? value.then(use) : use(value)
}
