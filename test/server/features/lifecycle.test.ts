import { expect, test } from 'vitest'
import { readHello } from '../../../src/server/features/lifecycle.ts'

const hello = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'c', version: '1' },
}

test('the revision asked for is spoken where it is served, else the newest', () => {
  expect(readHello(['2025-03-26', '2025-06-18'], hello).revision).toBe('2025-06-18')
  expect(readHello(['2025-03-26'], hello).revision).toBe('2025-03-26')
  expect(readHello(['2025-03-26', '2025-11-25'], { ...hello, protocolVersion: 'x' }).revision).toBe(
    '2025-11-25',
  )
})

test('what a client says of itself is kept', () => {
  const said = { ...hello, capabilities: { roots: {} } }
  expect(readHello(['2025-06-18'], said)).toMatchObject({
    capabilities: { roots: {} },
    clientInfo: { name: 'c', version: '1' },
  })
})
