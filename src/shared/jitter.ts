/**
 * Spreading what would otherwise happen everywhere at once.
 *
 * @module
 */

/** The part of a delay that is left to chance. */
const SPREAD = 0.1

/**
 * A delay made a little shorter by chance, so that streams opened together do not act together.
 * Never longer: a keepalive that comes late is none.
 *
 * @param ms the longest delay
 */
export function jittered(ms: number): number {
  return Math.ceil(ms * (1 - Math.random() * SPREAD))
}
