import { describe, expect, it, vi } from 'vitest'
import {
  Client,
  InputRequiredError,
  InvalidResponseError,
  RequestRejected,
} from '../../src/client/index.ts'
import type { ClientOptions } from '../../src/client/index.ts'
import { fakeClock } from '../support/clock.ts'
import { modernServer } from './fake-server.ts'
import type { FakeServer, Message } from './fake-server.ts'

const me = { name: 'test', version: '1' }
const done = { resultType: 'complete', content: [{ type: 'text', text: 'done' }] }
const form = {
  method: 'elicitation/create',
  params: { message: 'sure?', requestedSchema: { type: 'object', properties: {} } },
}
const asks = (rest: Readonly<Record<string, unknown>>) => ({
  resultType: 'input_required',
  ...rest,
})

/** A tool that answers its rounds in turn; the last answer repeats. */
function rounds(answers: readonly Readonly<Record<string, unknown>>[]): FakeServer {
  let turn = 0
  return modernServer((message) => {
    if (message.method !== 'tools/call' || message.params?.['name'] === 'other') return undefined
    turn += 1
    return answers[Math.min(turn, answers.length) - 1]
  })
}

const accepting: Partial<ClientOptions> = {
  onElicitation: () => ({ action: 'accept' }),
  onSampling: () => ({ role: 'assistant', model: 'm', content: { type: 'text', text: 'hi' } }),
  onRoots: () => [{ uri: 'file:///a' }],
}
const connect = (
  server: FakeServer,
  options: Partial<ClientOptions> = accepting,
): Promise<Client> => Client.connect(server, { ...me, ...options })

const calls = (server: FakeServer): readonly Message[] =>
  server.asked('tools/call').map(({ message }) => message ?? {})

describe('rounds of questions', () => {
  it('MR-06 MR-07 MR-19 F61 F62 answers all, echoes the state, and keeps the parameters under a new id', async () => {
    const questions = {
      ok: form,
      text: { method: 'sampling/createMessage', params: { messages: [], maxTokens: 5 } },
      roots: { method: 'roots/list' },
    }
    const server = rounds([asks({ inputRequests: questions, requestState: 'St@te==' }), done])
    const client = await connect(server)
    const result = await client.callTool('x', { a: 1 })
    expect(result.content).toEqual(done.content)
    const [first, second] = calls(server)
    expect(second?.id).not.toBe(first?.id)
    expect(second?.params).toMatchObject({
      name: 'x',
      arguments: { a: 1 },
      requestState: 'St@te==',
      inputResponses: {
        ok: { action: 'accept', content: {} },
        text: { role: 'assistant', model: 'm' },
        roots: { roots: [{ uri: 'file:///a' }] },
      },
    })
    expect(first?.params).not.toHaveProperty('requestState')
  })

  it('MR-07 leaves out a state that a later round no longer has', async () => {
    const server = rounds([
      asks({ inputRequests: { a: form }, requestState: 's1' }),
      asks({ inputRequests: { b: form } }),
      done,
    ])
    await (await connect(server)).callTool('x')
    const [, second, third] = calls(server)
    expect(second?.params?.['requestState']).toBe('s1')
    expect(third?.params).not.toHaveProperty('requestState')
    expect(Object.keys(third?.params?.['inputResponses'] ?? {})).toEqual(['b'])
  })

  it('MR-08 keeps state and answers out of a parallel call', async () => {
    const server = modernServer((message) => {
      if (message.method !== 'tools/call') return undefined
      const { name, requestState } = message.params ?? {}
      if (name === 'asks' && requestState === undefined)
        return asks({ inputRequests: { a: form }, requestState: 's' })
      return done
    })
    const client = await connect(server)
    await Promise.all([client.callTool('asks'), client.callTool('plain'), client.callTool('plain')])
    for (const { params } of calls(server).filter(({ params: p }) => p?.['name'] === 'plain')) {
      expect(params).not.toHaveProperty('requestState')
      expect(params).not.toHaveProperty('inputResponses')
    }
  })

  it('RPC-16 takes a result without a kind for complete', async () => {
    const server = rounds([{ content: [] }])
    await (await connect(server)).callTool('x')
    expect(calls(server)).toHaveLength(1)
  })

  it('RPC-17 refuses a result of an unknown kind', async () => {
    for (const resultType of ['weird', 7, null, 'task']) {
      const client = await connect(rounds([{ ...done, resultType }]))
      await expect(client.callTool('x')).rejects.toThrow(InvalidResponseError)
    }
  })

  it('MR-20 F64 backs off on state alone, from 50 to 250 ms', async () => {
    const clock = fakeClock()
    const server = rounds([
      ...Array.from({ length: 4 }, (_, n) => asks({ requestState: `s${n}` })),
      done,
    ])
    const client = await connect(server, { ...accepting, clock })
    const calling = client.callTool('x')
    const counts: number[] = []
    for (const ms of [0, 49, 1, 99, 1, 199, 1, 249, 1]) {
      await clock.advance(ms)
      counts.push(calls(server).length)
    }
    expect(counts).toEqual([1, 1, 2, 2, 3, 3, 4, 4, 5])
    await calling
    expect(clock.armed()).toBe(0)
  })

  it('MR-20 F66 stops after ten rounds, with the last state', async () => {
    const server = rounds([asks({ inputRequests: { a: form }, requestState: 'last' })])
    const client = await connect(server)
    const error = await client.callTool('x').catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(InputRequiredError)
    expect(error).toMatchObject({ result: { requestState: 'last' } })
    expect(String(error)).toContain('after 10 rounds')
    expect(calls(server)).toHaveLength(10)
  })

  it('MR-20 all rounds together have a time limit', async () => {
    const clock = fakeClock()
    const server = rounds([asks({ requestState: 's' })])
    const client = await connect(server, { ...accepting, clock, maxRounds: 1_000_000 })
    const failing = expect(client.callTool('x', {}, { maxTotalMs: 1_000 })).rejects.toThrow(
      '1000 ms',
    )
    await clock.advance(1_000)
    await failing
    expect(clock.armed()).toBe(0)
  })

  it('MR-23 a question of a kind that was not declared fails the call', async () => {
    const server = rounds([asks({ inputRequests: { a: form } }), done])
    const client = await connect(server, {})
    await expect(client.callTool('x')).rejects.toThrow('nobody here answers elicitation/create')
    expect(calls(server)).toHaveLength(1)
  })

  it.each<[string, Readonly<Record<string, unknown>>]>([
    ['nothing', {}],
    ['an empty map', { inputRequests: {} }],
    ['no map', { inputRequests: [1] }],
    ['no question', { inputRequests: { a: 7 } }],
    ['a question that cannot be embedded', { inputRequests: { a: { method: 'acme/x' } } }],
    ['a state that is no string', { requestState: 7 }],
  ])('a result that asks %s fails the call', async (_name, result) => {
    const client = await connect(rounds([asks(result)]))
    client.onRequest('acme/x', () => ({}))
    await expect(client.callTool('x')).rejects.toThrow(InputRequiredError)
  })

  it('MR-27 a user who says no to a form declines; to sampling, abandons', async () => {
    const no = (): never => {
      throw new RequestRejected()
    }
    const server = rounds([asks({ inputRequests: { a: form } }), done])
    await (await connect(server, { onElicitation: no })).callTool('x')
    expect(calls(server)[1]?.params?.['inputResponses']).toEqual({ a: { action: 'decline' } })
    const sampling = { method: 'sampling/createMessage', params: { messages: [], maxTokens: 5 } }
    const other = rounds([asks({ inputRequests: { a: sampling } })])
    await expect((await connect(other, { onSampling: no })).callTool('x')).rejects.toThrow(
      InputRequiredError,
    )
  })

  it('F65 by hand: the error carries the questions, the next call the answers', async () => {
    const server = rounds([asks({ inputRequests: { a: form }, requestState: 's' }), done])
    const handler = vi.fn<() => { action: 'accept' }>(() => ({ action: 'accept' }))
    const client = await connect(server, { onElicitation: handler })
    const error = await client
      .callTool('x', {}, { manual: true })
      .catch((thrown: unknown) => thrown)
    if (!(error instanceof InputRequiredError)) throw error
    expect(error.result).toMatchObject({ inputRequests: { a: form } })
    const inputResponses = { a: { action: 'decline' } }
    await client.callTool(
      'x',
      {},
      { inputResponses, requestState: String(error.result['requestState']) },
    )
    expect(calls(server)[1]?.params).toMatchObject({ inputResponses, requestState: 's' })
    expect(handler).not.toHaveBeenCalled()
  })

  it('aborting during a question ends the call and tells the handler', async () => {
    const controller = new AbortController()
    const told = vi.fn<() => void>()
    const onElicitation: ClientOptions['onElicitation'] = (_q, { signal }) => {
      signal.addEventListener('abort', told)
      controller.abort(new Error('bored'))
      return { action: 'accept' }
    }
    const server = rounds([asks({ inputRequests: { a: form } }), done])
    const client = await connect(server, { onElicitation })
    await expect(client.callTool('x', {}, { signal: controller.signal })).rejects.toThrow('bored')
    expect(told).toHaveBeenCalled()
    expect(calls(server)).toHaveLength(1)
  })
})

it('no more questions are asked at once than anyone could answer', async () => {
  const inputRequests = Object.fromEntries(
    Array.from({ length: 101 }, (_, index) => [`q${index}`, { method: 'roots/list' }]),
  )
  const onRoots = vi.fn<() => []>(() => [])
  const client = await connect(rounds([asks({ inputRequests })]), { onRoots })
  await expect(client.callTool('x')).rejects.toThrow('more than 100 questions')
  expect(onRoots).not.toHaveBeenCalled()
})
