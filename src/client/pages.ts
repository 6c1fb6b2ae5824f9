/**
 * Lists that come in pages: whole, or one item at a time, and never for ever.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/pagination
 * @module
 */
import { InvalidResponseError } from './errors.ts'

/** One page. */
export interface Page<T> {
  readonly items: readonly T[]
  readonly nextCursor?: string | undefined
}

/** How a list is read. */
export interface PagesOptions<T> {
  /** Names the list in errors. */
  readonly method: string
  readonly maxPages: number
  /** Reads one page; the first has no cursor. */
  readonly read: (cursor: string | undefined) => Promise<Page<T>>
}

/**
 * Yields the pages of a list. The empty string is a cursor like any other.
 *
 * @param options how the list is read
 * @throws {InvalidResponseError} for a cursor that repeats, or too many pages
 */
export async function* pagesOf<T>(
  options: PagesOptions<T>,
): AsyncGenerator<readonly T[], void, undefined> {
  const { method, maxPages, read } = options
  const seen = new Set<string>()
  let cursor: string | undefined
  for (let count = 1; ; count += 1) {
    const { items, nextCursor } = await read(cursor)
    yield items
    if (nextCursor === undefined) return
    if (seen.has(nextCursor)) throw new InvalidResponseError(method, 'its cursor repeats')
    if (count >= maxPages)
      throw new InvalidResponseError(method, `it has more than ${maxPages} pages`)
    seen.add(nextCursor)
    cursor = nextCursor
  }
}

/**
 * All items of a list: `await` it for an array, or `for await` it to read pages only as they are
 * needed.
 */
export class Listing<T> implements AsyncIterable<T>, PromiseLike<readonly T[]> {
  readonly #options: PagesOptions<T>

  constructor(options: PagesOptions<T>) {
    this.#options = options
  }

  /** Yields one item after the other; a page is read when its first item is wanted. */
  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const page of pagesOf(this.#options)) yield* page
  }

  /** Reads every page. */
  // oxlint-disable-next-line unicorn/no-thenable -- one list, awaited or iterated, is the API
  then<A = readonly T[], B = never>(
    onfulfilled?: ((items: readonly T[]) => A | PromiseLike<A>) | null,
    onrejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#all().then(onfulfilled, onrejected)
  }

  async #all(): Promise<readonly T[]> {
    const items: T[] = []
    for await (const item of this) items.push(item)
    return items
  }
}
