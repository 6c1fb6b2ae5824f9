import { expect, it } from 'vitest'
import { Asked } from '../../../src/server/ask/question.ts'
import { toolResult } from '../../../src/server/tool-result.ts'

it('what asks is told apart from whatever a handler returns', () => {
  const result = { resultType: 'input_required', requestState: 'x' }
  expect(new Asked(result).result).toBe(result)
  expect(toolResult({ content: [] })).not.toBeInstanceOf(Asked)
})
