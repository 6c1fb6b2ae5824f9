/**
 * A clock that stands still until a test moves it.
 *
 * @module
 */

/** The handler's `clock` option, moved by hand. */
export interface FakeClock {
  readonly now: () => number
  readonly setTimeout: (fn: () => void, ms: number) => number
  readonly clearTimeout: (id: unknown) => void
  /** Moves time on, running what falls due in order, with pending promises settled in between. */
  readonly advance: (ms: number) => Promise<void>
  /** How many timers are armed. */
  readonly armed: () => number
}

interface Timer {
  readonly id: number
  readonly at: number
  readonly fn: () => void
}

/**
 * Makes a clock.
 *
 * @param start The first `now()`, in milliseconds. Default 1_000_000.
 */
export function fakeClock(start = 1_000_000): FakeClock {
  let time = start
  let lastId = 0
  let timers: readonly Timer[] = []

  function next(until: number): Timer | undefined {
    return timers.filter(({ at }) => at <= until).toSorted((a, b) => a.at - b.at || a.id - b.id)[0]
  }

  async function advance(ms: number): Promise<void> {
    const until = time + ms
    await settle()
    for (let due = next(until); due !== undefined; due = next(until)) {
      const { id, at, fn } = due
      timers = timers.filter((timer) => timer.id !== id)
      time = Math.max(time, at)
      fn()
      await settle()
    }
    time = until
  }

  return {
    now: () => time,
    setTimeout: (fn, ms) => {
      lastId += 1
      timers = [...timers, { id: lastId, at: time + Math.max(0, ms), fn }]
      return lastId
    },
    clearTimeout: (id) => {
      timers = timers.filter((timer) => timer.id !== id)
    },
    advance,
    armed: () => timers.length,
  }
}

/** Lets every promise that can settle without a timer settle, streams included. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) {
    await new Promise<void>((resolve) => {
      const { port1, port2 } = new MessageChannel()
      port1.addEventListener('message', () => {
        port1.close()
        resolve()
      })
      port1.start()
      port2.postMessage(null)
    })
  }
}
