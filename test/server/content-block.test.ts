import { expect, test } from 'vitest'
import { isContentBlock } from '../../src/server/content-block.ts'

test.each([
  { type: 'text', text: '' },
  { type: 'image', data: 'AQ==', mimeType: 'image/png' },
  { type: 'audio', data: 'AQ==', mimeType: 'audio/wav' },
  { type: 'resource_link', uri: 'a://b', name: 'b' },
  { type: 'resource', resource: { uri: 'a://b', text: '' } },
  { type: 'resource', resource: { uri: 'a://b', blob: 'AQ==' } },
])('%j is content', (value) => {
  expect(isContentBlock(value)).toBe(true)
})

test.each([
  'text',
  null,
  [],
  {},
  { type: 'text' },
  { type: 'video', data: '', mimeType: '' },
  { type: 'image', data: new Uint8Array([1]), mimeType: 'image/png' },
  { type: 'resource_link', uri: 'a://b' },
  { type: 'resource', resource: { uri: 'a://b' } },
  { type: 'resource', resource: { text: 'x' } },
  { type: 'resource' },
])('%j is not', (value) => {
  expect(isContentBlock(value)).toBe(false)
})
