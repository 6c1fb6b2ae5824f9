/**
 * The example's state: a number in a Durable Object.
 *
 * @module
 */

/** What the platform gives the object. */
interface CounterState {
  readonly storage: {
    get(key: string): Promise<unknown>
    put(key: string, value: number): Promise<void>
  }
}

/** Counts. A POST adds one; whatever the method, the answer is the number. */
export class Counter {
  readonly #state: CounterState

  constructor(state: CounterState) {
    this.#state = state
  }

  async fetch(request: Request): Promise<Response> {
    const value = Number((await this.#state.storage.get('value')) ?? 0)
    if (request.method !== 'POST') return Response.json(value)
    await this.#state.storage.put('value', value + 1)
    return Response.json(value + 1)
  }
}
