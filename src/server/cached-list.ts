/**
 * A list as clients read it: rendered once for each kind of reader, and again when it changes.
 *
 * @module
 */
import type { Params } from '../protocol/jsonrpc.ts'
import type { Revision } from '../protocol/versions.ts'
import type { Call } from './call.ts'
import type { ServerCore } from './core.ts'
import { paginate } from './pagination.ts'
import type { Registry } from './registry.ts'
import { ResultText } from './result-text.ts'

/** How a list is rendered. */
export interface ListSource<Item> {
  /** The member of the result that holds the items. */
  readonly member: 'tools' | 'prompts' | 'resources' | 'resourceTemplates'
  readonly registry: Registry<Item>
  /** One entry as JSON text, in the form that readers of a revision know. */
  readonly render: (item: Item, revision: Revision) => string
}

/** The pages of one list, as texts that are kept until {@link CachedList.clear}. */
export class CachedList<Item> {
  readonly #core: ServerCore
  readonly #source: ListSource<Item>
  readonly #pages = new Map<string, ResultText>()

  constructor(core: ServerCore, source: ListSource<Item>) {
    this.#core = core
    this.#source = source
  }

  /** Forgets every text; the next reader gets a new one. */
  clear(): void {
    this.#pages.clear()
  }

  /**
   * Answers a list request.
   *
   * @throws {InvalidParamsError} if the cursor is not one of this list's
   */
  answer(call: Call): ResultText {
    const { revision } = call.caller
    const { cursor } = call.params
    const key = typeof cursor === 'string' ? `${revision} ${cursor}` : revision
    const kept =
      cursor === undefined || typeof cursor === 'string' ? this.#pages.get(key) : undefined
    if (kept !== undefined) return kept
    const page = this.#render(call, cursor)
    this.#pages.set(key, page)
    return page
  }

  #render(call: Call, cursor: unknown): ResultText {
    const { member, registry, render } = this.#source
    const { items, nextCursor } = paginate(registry.values(), this.#core.pageSize, cursor)
    const entries = items.map((item) => render(item, call.caller.revision)).join(',')
    const rules = this.#core.rulesOf(call.caller)
    const rest: Params = { nextCursor, ...rules.hints(this.#core.cache, undefined) }
    const tail = JSON.stringify(rest).slice(1)
    const text = `{"${member}":[${entries}]${tail === '}' ? '' : ','}${tail}`
    return new ResultText(rules.seal(text), true)
  }
}
