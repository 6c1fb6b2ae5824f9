/**
 * The shopping list that the page shows and the tools change.
 *
 * @module
 */

/** One thing to buy. */
export interface Item {
  readonly name: string
  readonly amount: number
}

/** Where the list is read and changed. */
export interface ShoppingList {
  readonly items: () => readonly Item[]
  readonly put: (item: Item) => void
  readonly clear: () => void
}

declare global {
  // Only `var` declares a property of globalThis.
  var shoppingItems: Map<string, Item> | undefined
}

/** The list of this process; a real application would keep it in a database. */
export function shoppingList(): ShoppingList {
  // Next bundles pages and route handlers apart, so a module's own state would be two lists.
  globalThis.shoppingItems ??= new Map([['apples', { name: 'apples', amount: 4 }]])
  const items = globalThis.shoppingItems
  return {
    items: () => [...items.values()],
    put: (item) => void items.set(item.name, item),
    clear: () => items.clear(),
  }
}
