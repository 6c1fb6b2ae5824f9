import { expect, test } from 'vitest'
import {
  KEEPALIVE_FRAME,
  toFrame,
  toResumableFrame,
  toRetryFrame,
} from '../../src/http/sse-format.ts'
import { streamOf } from '../support/index.ts'

async function parsed(text: string): Promise<readonly unknown[]> {
  return Array.fromAsync(streamOf(new Response(text)))
}

test('frames are read by an independent parser as they were meant', async () => {
  expect(await parsed(toFrame('{"a":"\u2028"}'))).toEqual([
    { kind: 'event', event: 'message', id: undefined, data: '{"a":"\u2028"}' },
  ])
  expect(await parsed(toResumableFrame('7', '{}'))).toEqual([
    { kind: 'event', event: 'message', id: '7', data: '{}' },
  ])
  expect(await parsed(KEEPALIVE_FRAME)).toEqual([{ kind: 'comment', text: 'keepalive' }])
  expect(await parsed(toRetryFrame(500))).toEqual([{ kind: 'retry', ms: 500 }])
})

test('an event may carry nothing but its id', async () => {
  expect(await parsed(toResumableFrame('7', ''))).toEqual([
    { kind: 'event', event: undefined, id: '7', data: '' },
  ])
})
