/**
 * An ordered collection of definitions, and the lists that clients read of it: each rendered once
 * for each kind of reader, and again when something changes. Order is insertion order, because lists
 * and their cursors must be stable.
 *
 * @module
 */
import type { Params } from '../protocol/jsonrpc.ts'
import type { Revision } from '../protocol/versions.ts'
import type { Call } from './call.ts'
import type { ServerCore } from './core.ts'
import { paginate } from './pagination.ts'
import { ResultText } from './result-text.ts'

/** A definition that can be listed. */
export interface Listed {
  /** Its entry as JSON text, in the form that readers of a revision know. */
  readonly listed: (revision: Revision) => string
}

/** What a collection is made for. */
export interface RegistryOptions {
  /** What a definition is called in an error message. */
  readonly kind: string
  /** The member of a list's result that holds the entries. */
  readonly member: 'tools' | 'prompts' | 'resources' | 'resourceTemplates'
  /** Called after each change. */
  readonly changed: () => void
}

/** Definitions of one kind, looked up by name or URI. Keys from the wire are plain data here. */
export class Registry<Item extends Listed> {
  readonly #core: ServerCore
  readonly #options: RegistryOptions
  readonly #items = new Map<string, Item>()
  readonly #pages = new Map<string, ResultText>()

  constructor(core: ServerCore, options: RegistryOptions) {
    this.#core = core
    this.#options = options
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
    const { kind } = this.#options
    if (this.#items.has(key)) throw new TypeError(`${kind} '${key}' is already defined`)
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

  /**
   * Answers a list request.
   *
   * @throws {InvalidParamsError} if the cursor is not one of this list's
   */
  list(call: Call): ResultText {
    const { cursor } = call.params
    const key = JSON.stringify([call.caller.revision, cursor])
    const kept = this.#pages.get(key)
    if (kept !== undefined) return kept
    const page = this.#render(call, cursor)
    this.#pages.set(key, page)
    return page
  }

  #render({ caller }: Call, cursor: unknown): ResultText {
    const { items, nextCursor } = paginate(this.values(), this.#core.pageSize, cursor)
    const entries = items.map((item) => item.listed(caller.revision)).join(',')
    const rules = this.#core.rulesOf(caller)
    const rest: Params = { nextCursor, ...rules.hints(this.#core.cache, undefined) }
    const tail = JSON.stringify(rest).slice(1)
    const text = `{"${this.#options.member}":[${entries}]${tail === '}' ? '' : ','}${tail}`
    return new ResultText(rules.seal(text), true)
  }

  #changed(): void {
    this.#pages.clear()
    this.#options.changed()
  }
}
