import { expect, test } from 'vitest'
import { serveBatch } from '../../src/http/batch.ts'
import { legacy } from '../support/index.ts'

const visit = {
  request: legacy('x'),
  env: undefined,
  execution: undefined,
  extra: undefined,
  auth: undefined,
  forms: { json: true, stream: true },
}

const nobody = {
  request: async () => '{"jsonrpc":"2.0","id":1,"result":{}}',
  notification: async () => undefined,
  response: async () => undefined,
}

test('RPC-09 one element makes an array of one, in the order of the requests', async () => {
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
  const response = await serveBatch(visit, [ping, { jsonrpc: '2.0', method: 'a/b' }], nobody)
  expect(await response.json()).toEqual([{ jsonrpc: '2.0', id: 1, result: {} }])
})

test('RPC-11 initialize is refused, with its id', async () => {
  const response = await serveBatch(
    visit,
    [{ jsonrpc: '2.0', id: 7, method: 'initialize' }],
    nobody,
  )
  expect(await response.json()).toMatchObject([{ id: 7, error: { code: -32600 } }])
})
