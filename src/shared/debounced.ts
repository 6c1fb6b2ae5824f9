/**
 * Doing once what was asked for many times.
 *
 * @module
 */

/**
 * A function that runs `work` once, at the end of the current turn, however often it is called in it.
 *
 * @param work what to do; must not throw
 */
export function debounced(work: () => void): () => void {
  let planned = false
  return () => {
    if (planned) return
    planned = true
    queueMicrotask(() => {
      planned = false
      work()
    })
  }
}
