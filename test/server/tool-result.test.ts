import { describe, expect, it } from 'vitest'
import { text } from '../../src/server/content.ts'
import { isToolResult, toolResult } from '../../src/server/tool-result.ts'

describe('toolResult', () => {
  it('keeps its members and is recognised', () => {
    const built = toolResult({ content: [text('a')], structuredContent: null, isError: true })
    expect(isToolResult(built)).toBe(true)
    expect(built).toMatchObject({ content: [text('a')], structuredContent: null, isError: true })
    expect(JSON.parse(JSON.stringify(built))).not.toHaveProperty('meta')
  })

  it.each([null, undefined, 'x', [], { content: [] }, { 'mcp-edge.toolResult': true }])(
    'does not take %o for one',
    (value) => {
      expect(isToolResult(value)).toBe(false)
    },
  )

  it('cannot be forged by JSON', () => {
    expect(isToolResult(JSON.parse(JSON.stringify(toolResult({ content: [] }))))).toBe(false)
  })

  it('is recognised across copies of the package', () => {
    expect(isToolResult({ [Symbol.for('mcp-edge.toolResult')]: true })).toBe(true)
  })
})
