/**
 * An ordered collection of definitions. Order is insertion order, because lists and their cursors
 * must be stable.
 *
 * @module
 */

/** Definitions of one kind, looked up by name or URI. Keys from the wire are plain data here. */
export class Registry<Item> {
  readonly #items = new Map<string, Item>()
  readonly #kind: string
  readonly #changed: () => void

  /**
   * @param kind what an item is called in an error message
   * @param changed called after each change
   */
  constructor(kind: string, changed: () => void) {
    this.#kind = kind
    this.#changed = changed
  }

  /** How many definitions there are. */
  get size(): number {
    return this.#items.size
  }

  /**
   * Adds a definition.
   *
   * @throws {TypeError} if the key is taken
   */
  add(key: string, item: Item): void {
    if (this.#items.has(key)) throw new TypeError(`${this.#kind} '${key}' is already defined`)
    this.#items.set(key, item)
    this.#changed()
  }

  /**
   * Removes a definition.
   *
   * @returns whether there was one
   */
  remove(key: string): boolean {
    const removed = this.#items.delete(key)
    if (removed) this.#changed()
    return removed
  }

  /** The definition under `key`. */
  get(key: string): Item | undefined {
    return this.#items.get(key)
  }

  /** All definitions, in the order they were added. */
  values(): readonly Item[] {
    return [...this.#items.values()]
  }
}
