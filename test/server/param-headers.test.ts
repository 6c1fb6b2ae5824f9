import { expect, test } from 'vitest'
import { scanParamHeaders } from '../../src/protocol/param-headers.ts'
import { checkParamHeaders, ParamHeaderError } from '../../src/server/param-headers.ts'

test('the first header that does not mirror its argument is named', () => {
  const property = { type: 'string', 'x-mcp-header': 'Region' }
  const scan = scanParamHeaders({ type: 'object', properties: { region: property } })
  const headers = scan.ok ? scan.headers : []
  checkParamHeaders(headers, { region: 'eu' }, new Headers({ 'Mcp-Param-Region': ' eu ' }))
  checkParamHeaders(headers, {}, new Headers())
  for (const [args, sent] of [
    [{ region: 'eu' }, {}],
    [{ region: 'eu' }, { 'mcp-param-region': 'EU' }],
    [{}, { 'mcp-param-region': 'eu' }],
  ] as const) {
    const check = () => checkParamHeaders(headers, args, new Headers(sent))
    expect(check).toThrow(ParamHeaderError)
    expect(check).toThrow(/mcp-param-region/i)
  }
})
