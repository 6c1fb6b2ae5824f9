import { describe, expect, it } from 'vitest'
import { image } from '../../src/server/content.ts'
import { assistantMessage, userMessage } from '../../src/server/messages.ts'

describe('message builders', () => {
  it('makes text of a string', () => {
    expect(userMessage('a')).toEqual({ role: 'user', content: { type: 'text', text: 'a' } })
    expect(assistantMessage('b').content.text).toBe('b')
  })

  it('FT-25 holds one block', () => {
    const block = image('', 'image/png')
    expect(assistantMessage(block)).toEqual({ role: 'assistant', content: block })
    expect(userMessage(block).content).toBe(block)
  })
})
