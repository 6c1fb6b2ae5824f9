import { describe, expect, it, vi } from 'vitest'
import { Answers } from '../../src/client/answers.ts'
import { Questions } from '../../src/client/questions.ts'
import type { JSONRPCResponse } from '../../src/protocol/jsonrpc.ts'
import { MAX_OPEN_QUESTIONS } from '../../src/protocol/limits.ts'

const question = (id: number) => ({ jsonrpc: '2.0', id, method: 'acme/ask' }) as const

function asked(handler: (signal: AbortSignal) => unknown) {
  const answers = new Answers()
  const send = vi.fn<(response: JSONRPCResponse) => Promise<void>>(async () => undefined)
  const warn = vi.fn<(error: Error) => void>()
  answers.method('acme/ask', (_params, { signal }) => handler(signal))
  return { questions: new Questions({ answers, send, warn }), send, warn }
}

describe('questions of a server', () => {
  it('are answered', async () => {
    const { questions, send } = asked(() => ({ yes: true }))
    await questions.answer(question(1))
    expect(send).toHaveBeenCalledWith({ jsonrpc: '2.0', id: 1, result: { yes: true } })
  })

  it('beyond a bound are dropped, also when they share an id', async () => {
    const gate = Promise.withResolvers<object>()
    const { questions, send, warn } = asked(() => gate.promise)
    const open = Array.from({ length: MAX_OPEN_QUESTIONS + 5 }, () => questions.answer(question(1)))
    expect(warn).toHaveBeenCalledTimes(1)
    expect(String(warn.mock.calls[0]?.[0])).toContain('acme/ask is not answered')
    gate.resolve({})
    await Promise.all(open)
    expect(send).toHaveBeenCalledTimes(MAX_OPEN_QUESTIONS)
    await questions.answer(question(2))
    expect(send).toHaveBeenCalledTimes(MAX_OPEN_QUESTIONS + 1)
  })

  it.each(['cancel', 'close'] as const)('are not answered after %s', async (way) => {
    const signals: AbortSignal[] = []
    const gate = Promise.withResolvers<object>()
    const { questions, send } = asked((signal) => {
      signals.push(signal)
      return gate.promise
    })
    const open = questions.answer(question(7))
    if (way === 'cancel') questions.cancel(7)
    else questions.close()
    expect(signals[0]?.aborted).toBe(true)
    gate.resolve({})
    await open
    expect(send).not.toHaveBeenCalled()
  })

  it('an answer that cannot be sent is reported', async () => {
    const { questions, send, warn } = asked(() => ({}))
    send.mockRejectedValue(new Error('gone'))
    await questions.answer(question(1))
    expect(warn).toHaveBeenCalledWith(new Error('gone'))
  })
})
