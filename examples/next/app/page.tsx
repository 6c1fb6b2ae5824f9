import type { ReactNode } from 'react'
import { shoppingList } from '../lib/shopping-list.ts'

export const dynamic = 'force-dynamic'

export default function Page(): ReactNode {
  return (
    <main>
      <h1>Shopping list</h1>
      <ul>
        {shoppingList()
          .items()
          .map(({ name, amount }) => (
            <li key={name}>
              {amount} × {name}
            </li>
          ))}
      </ul>
      <p>
        Agents change it at <code>/api/mcp</code>. Reload to see what they did.
      </p>
    </main>
  )
}
