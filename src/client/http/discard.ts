/**
 * Letting go of bodies.
 *
 * @module
 */

/**
 * Lets go of a body that is of no interest, so that its connection can be used again. Nobody waits
 * for that: a body need not end when it is told to.
 *
 * @param response whose body is discarded
 */
export function discard({ body }: Response): void {
  body?.cancel().catch(() => undefined)
}
