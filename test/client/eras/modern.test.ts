import { describe, expect, it } from 'vitest'
import { checkResultType, withEnvelope } from '../../../src/client/eras/modern.ts'

const identity = {
  protocolVersion: '2026-07-28',
  clientInfo: { name: 'c', version: '1' },
  capabilities: { roots: {} },
}

describe('the envelope', () => {
  it('CL-08 merges what the application says, and yields none of the protocol’s keys', () => {
    const params = { a: 1, _meta: { own: 1, both: 'params' } }
    const meta = { both: 'meta', 'io.modelcontextprotocol/clientInfo': 'mine' }
    expect(
      withEnvelope({ params, meta, logLevel: 'info', onProgress: () => undefined }, identity, 0),
    ).toEqual({
      a: 1,
      _meta: {
        own: 1,
        both: 'meta',
        progressToken: 0,
        'io.modelcontextprotocol/logLevel': 'info',
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'c', version: '1' },
        'io.modelcontextprotocol/clientCapabilities': { roots: {} },
      },
    })
    expect(params).toEqual({ a: 1, _meta: { own: 1, both: 'params' } })
  })

  it('RPC-17 knows the kinds of result, and that of an extension where it is declared', () => {
    for (const resultType of [undefined, 'complete', 'input_required'])
      expect(checkResultType('m', { resultType }, {})).toEqual({ resultType })
    expect(() => checkResultType('m', { resultType: 'task' }, {})).toThrow('"task" is unknown')
    const extensions = { 'io.modelcontextprotocol/tasks': {} }
    expect(checkResultType('m', { resultType: 'task' }, { extensions })).toEqual({
      resultType: 'task',
    })
  })
})
