/**
 * Giving way to everything else that happens in this process.
 *
 * @module
 */

/** Milliseconds of work after which it is time to give way: readers of what was written run in the same turn. */
const SLICE_MS = 3
/** Items after which it is time to give way where clocks stand still while code runs, as on Workers. */
const SLICE_ITEMS = 2_048
/** Items between two looks at the clock. */
const LOOK_EVERY = 16

/**
 * Settles in a later turn of the event loop. Timers exist everywhere, but wait for a millisecond or
 * more; the immediate of Node, Bun and Deno lets I/O happen and comes back while caches are warm.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    const platform: object = globalThis
    const immediate = 'setImmediate' in platform ? platform.setImmediate : undefined
    if (isScheduler(immediate)) immediate(resolve)
    else setTimeout(resolve, 0)
  })
}

function isScheduler(value: unknown): value is (work: () => void) => void {
  return typeof value === 'function'
}

/**
 * Works through items in slices, so that many items never block the event loop for long.
 *
 * @param items what to work through; what is removed meanwhile is left out
 * @param work what to do with each; must not throw
 */
export async function inSlices<Item>(
  items: Iterable<Item>,
  work: (item: Item) => void,
): Promise<void> {
  let started = performance.now()
  let done = 0
  for (const item of items) {
    work(item)
    done += 1
    if (done % LOOK_EVERY !== 0) continue
    if (done < SLICE_ITEMS && performance.now() - started < SLICE_MS) continue
    await nextTurn()
    started = performance.now()
    done = 0
  }
}
