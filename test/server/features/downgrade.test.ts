import { expect, test } from 'vitest'
import type { ContentBlock } from '../../../src/protocol/content.ts'
import { downgraded } from '../../../src/server/features/downgrade.ts'

const blocks: readonly ContentBlock[] = [
  { type: 'text', text: 'x' },
  { type: 'audio', data: 'AQ==', mimeType: 'audio/wav' },
  { type: 'resource_link', uri: 'a://b', name: 'b' },
]

test('new revisions get the very same list', () => {
  expect(downgraded(blocks, '2025-06-18')).toBe(blocks)
  expect(downgraded(blocks, '2026-07-28')).toBe(blocks)
})

test('older ones read text in the place of what they lack', () => {
  expect(downgraded(blocks, '2025-03-26')[2]).toEqual({ type: 'text', text: 'b: a://b' })
  expect(downgraded(blocks, '2024-11-05')[1]).toEqual({ type: 'text', text: '[audio/wav audio]' })
  expect(downgraded(blocks, '2024-11-05')[0]).toBe(blocks[0])
})
