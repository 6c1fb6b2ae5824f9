import type { ReactNode } from 'react'

export const metadata = { title: 'Shopping list' }

export default function Layout({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <html lang="en">
      <body style={{ fontFamily: 'system-ui', margin: '2rem' }}>{children}</body>
    </html>
  )
}
