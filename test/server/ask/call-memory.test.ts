import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { CallMemory, throughJson, Unanswered } from '../../../src/server/ask/call-memory.ts'
import type { Question } from '../../../src/server/ask/question.ts'

const question = (key: string, message = 'Sure?'): Question => ({
  key,
  method: 'elicitation/create',
  params: { message },
})
const read = (result: unknown): unknown => result
const never = (key: string) => async (): Promise<never> => Promise.reject(new Unanswered(key))

const unhandled = vi.fn()
beforeEach(() => void process.on('unhandledRejection', unhandled))
afterEach(async () => {
  await new Promise((resolve) => setTimeout(resolve, 2))
  process.off('unhandledRejection', unhandled)
  expect(unhandled).not.toHaveBeenCalled()
})

describe('asking', () => {
  it('sends once for each key, and reads for whoever asks', async () => {
    const memory = new CallMemory()
    const send = vi.fn(async () => ({ n: 1 }))
    const first = memory.ask(question('a'), { send, read: ({ n }) => n })
    const second = memory.ask(question('a'), { send, read: ({ n }) => [n] })
    expect(await Promise.all([first, second])).toEqual([1, [1]])
    expect(send).toHaveBeenCalledOnce()
    await expect(memory.ask(question('a', 'Other?'), { send, read })).rejects.toThrow(TypeError)
  })

  it('tells failures one by one, open questions last', async () => {
    const memory = new CallMemory()
    const told: unknown[] = []
    const all = [
      memory.ask(question('a'), { send: never('a'), read }),
      memory.ask(question('b'), { send: async () => Promise.reject(new Error('b')), read }),
      memory.ask(question('c'), { send: never('c'), read }),
    ]
    await Promise.all(all.map((asked) => asked.catch((error: unknown) => told.push(error))))
    expect(told).toEqual([new Error('b'), new Unanswered('a'), new Unanswered('c')])
    expect(memory.unwound).toBe(true)
  })

  it('tells nobody once the handler has ended', async () => {
    const memory = new CallMemory()
    void memory.ask(question('a'), { send: never('a'), read })
    memory.end()
    await new Promise((resolve) => setTimeout(resolve, 1))
    expect(memory.unwound).toBe(false)
  })
})

describe('effects', () => {
  it('are idle when none runs, also after one that fails at once', async () => {
    const memory = new CallMemory()
    const failing = memory.once('a', () => {
      throw new Error('at once')
    })
    const slow = memory.once('b', async () => {
      await new Promise((resolve) => setTimeout(resolve, 5))
      return 2
    })
    await expect(failing).rejects.toThrow('at once')
    await memory.idle()
    expect([...memory.effects]).toEqual([['b', 2]])
    expect(await slow).toBe(2)
  })

  it('know what earlier rounds left', async () => {
    const memory = new CallMemory({ effects: new Map([['a', undefined]]) })
    const effect = vi.fn()
    expect(await memory.once('a', effect)).toBeUndefined()
    expect(effect).not.toHaveBeenCalled()
  })
})

it('a value goes through JSON', () => {
  expect(throughJson({ at: new Date(0), f: () => 1 }, 'x')).toEqual({
    at: '1970-01-01T00:00:00.000Z',
  })
  expect(throughJson(undefined, 'x')).toBeUndefined()
  expect(() => throughJson(Symbol('s'), 'x')).toThrow('x returned what JSON cannot hold')
})
