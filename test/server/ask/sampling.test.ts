import { describe, expect, it } from 'vitest'
import {
  isCreateMessageResult,
  pairingProblem,
  readSample,
  sampleQuestion,
  samplingProblem,
} from '../../../src/server/ask/sampling.ts'
import type { SamplingMessage } from '../../../src/protocol/sampling.ts'

const text = { type: 'text', text: 'x' } as const
const use = (id: string) => ({ type: 'tool_use', id, name: 't', input: {} }) as const
const result = (toolUseId: string) => ({ type: 'tool_result', toolUseId, content: [] }) as const
const user = (...content: object[]) => ({ role: 'user', content }) as SamplingMessage
const model = (...content: object[]) => ({ role: 'assistant', content }) as SamplingMessage

describe('tool uses and results', () => {
  it.each<[string, SamplingMessage[]]>([
    ['no tools', [user(text), model(text)]],
    ['one block that is no list', [{ role: 'user', content: text }]],
    ['a pair', [user(text), model(text, use('a')), user(result('a'))]],
    ['two at once, in any order', [model(use('a'), use('b')), user(result('b'), result('a'))]],
    [
      'one after the other',
      [model(use('a')), user(result('a')), model(use('a')), user(result('a'))],
    ],
  ])('EL-12 pair: %s', (_what, messages) => {
    expect(pairingProblem(messages)).toBeUndefined()
  })

  it.each<[string, SamplingMessage[], RegExp]>([
    ['an orphan', [user(result('a'))], /answered by a tool result/],
    ['another id', [model(use('a')), user(result('b'))], /answered/],
    ['one of two', [model(use('a'), use('b')), user(result('a'))], /answered/],
    ['one twice', [model(use('a'), use('b')), user(result('a'), result('a'))], /answered/],
    ['too late', [model(use('a')), user(text), user(result('a'))], /answered/],
    ['left open', [user(text), model(use('a'))], /unanswered/],
    ['EL-13 mixed', [model(use('a')), user(result('a'), text)], /nothing else/],
  ])('EL-12 do not pair: %s', (_what, messages, problem) => {
    expect(pairingProblem(messages)).toMatch(problem)
    expect(() => sampleQuestion('k', { messages, maxTokens: 5 })).toThrow(problem)
  })
})

it.each([undefined, 0, -1, 1.5, Infinity, '5'])('EL-14 refuses maxTokens %j', (maxTokens) => {
  expect(samplingProblem({ messages: [], maxTokens } as never)).toContain('maxTokens')
  expect(() => sampleQuestion('k', { messages: [], maxTokens } as never)).toThrow(/question 'k'/)
})

it('F123 sends everything but its own timeout', () => {
  const params = { messages: [], maxTokens: 5, systemPrompt: 'Be brief', temperature: 0 }
  expect(sampleQuestion('k', { ...params, timeoutMs: 9 })).toEqual({
    key: 'k',
    method: 'sampling/createMessage',
    params,
    timeoutMs: 9,
  })
})

it('reads all text of an answer', () => {
  const answer = { role: 'assistant', model: 'm', content: [text, use('a'), text] }
  expect(readSample(answer)).toEqual({ ...answer, text: 'xx' })
  expect(readSample({ ...answer, content: text }).text).toBe('x')
  for (const broken of [
    { ...answer, role: 'x' },
    { ...answer, model: 1 },
    { ...answer, content: [1] },
  ])
    expect(isCreateMessageResult(broken)).toBe(false)
})
