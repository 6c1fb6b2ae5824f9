import { beforeEach, describe, expect, test } from 'vitest'
import { LiveSession, type LiveSessionHome } from '../../src/http/live-session.ts'
import type { SessionMessage } from '../../src/http/session-mail.ts'
import { SESSION_TOUCH_MS } from '../../src/protocol/limits.ts'
import { memorySessions } from '../../src/stores/memory-sessions.ts'
import { fakeClock, settle } from '../support/index.ts'
import { storeWith } from './session-parts.ts'

const EVENT = { kind: 'event', stream: 'x', data: '1', final: false } as const
const CANCEL = { kind: 'cancel', requestId: 1 } as const

let sent: string[] = []
let reported: unknown[] = []
let forgotten: unknown[] = []

beforeEach(() => {
  sent = []
  reported = []
  forgotten = []
})

/** A home whose mail goes nowhere by itself. */
function home(
  options: Partial<LiveSessionHome> = {},
): LiveSessionHome & { clock: ReturnType<typeof fakeClock> } {
  const clock = fakeClock()
  let questions = 0
  return {
    store: memorySessions({ clock }),
    mail: { send: async (_id, message) => void sent.push(message), receive: () => undefined },
    nextQuestionId: () => `q${(questions += 1)}`,
    remember: () => undefined,
    report: (error) => void reported.push(error),
    forget: (session) => void forgotten.push(session),
    ...options,
    clock,
  }
}

function member() {
  const heard: SessionMessage[] = []
  return { heard, receive: (message: SessionMessage) => void heard.push(message) }
}

describe('members', () => {
  test('hear what is told; with the last one everything is let go', () => {
    const at = home()
    const live = new LiveSession(at, 's')
    const [one, two] = [member(), member()]
    live.add(one)
    live.add(two)
    live.keep()
    live.deliver(CANCEL)
    live.delete(one)
    expect([one.heard, two.heard, forgotten]).toEqual([[CANCEL], [CANCEL], []])
    live.delete(two)
    expect([forgotten, at.clock.armed()]).toEqual([[live], 0])
  })

  test('one that fails is reported, and nothing is thrown', () => {
    const live = new LiveSession(home(), 's')
    const error = new Error('no')
    live.add({
      receive: () => {
        throw error
      },
    })
    expect(() => live.deliver(CANCEL)).not.toThrow()
    expect(reported).toEqual([error])
  })
})

describe('mail', () => {
  test('is heard from the first listener on, and not after the last one is gone', () => {
    const signals: AbortSignal[] = []
    let deliver: (message: string) => void = () => undefined
    const live = new LiveSession(
      home({
        mail: {
          send: async () => undefined,
          receive: (_id, to, signal) => {
            deliver = to
            signals.push(signal)
          },
        },
      }),
      's',
    )
    void live.listen()
    expect(signals).toEqual([])
    const one = member()
    live.add(one)
    void live.listen()
    void live.listen()
    deliver(JSON.stringify(CANCEL))
    deliver('{"kind":"of a later version"}')
    expect([signals.length, one.heard]).toEqual([1, [CANCEL]])
    live.delete(one)
    expect(signals[0]?.aborted).toBe(true)
  })

  test('is told to those here at once, and an event only once', async () => {
    const live = new LiveSession(home(), 's')
    const one = member()
    live.add(one)
    await live.send(EVENT)
    void live.listen()
    await live.send(EVENT)
    await live.send(CANCEL)
    expect(one.heard).toEqual([EVENT, CANCEL])
    expect(sent.map((text) => JSON.parse(text))).toEqual([EVENT, EVENT, CANCEL])
  })

  test('that cannot be received is reported, and those here are told all the same', async () => {
    const error = new Error('no')
    const receive = () => Promise.reject(error)
    const live = new LiveSession(home({ mail: { send: async () => undefined, receive } }), 's')
    const one = member()
    live.add(one)
    await live.listen()
    await live.send(EVENT)
    expect([reported, one.heard]).toEqual([[error], [EVENT]])
  })

  test('that cannot be sent fails who sends, and is reported for who tells', async () => {
    const error = new Error('no')
    const send = () => Promise.reject(error)
    const live = new LiveSession(home({ mail: { send, receive: () => undefined } }), 's')
    await expect(live.send(CANCEL)).rejects.toBe(error)
    live.tell(CANCEL)
    await settle()
    expect(reported).toEqual([error])
  })

  test('there may be none', async () => {
    const live = new LiveSession(home({ mail: undefined }), 's')
    const one = member()
    live.add(one)
    expect([live.reachable, live.listen()]).toEqual([false, undefined])
    await live.send(CANCEL)
    expect(one.heard).toEqual([CANCEL])
  })
})

describe('questions', () => {
  test('wait for their own answer, and fail when the session ends', async () => {
    const live = new LiveSession(home(), 's')
    const [one, two] = ['a', 'b'].map((method) => live.questions.open({ method }))
    expect(live.waiting).toBe(2)
    expect(live.settle({ jsonrpc: '2.0', id: 'q9', result: {} })).toBe(false)
    live.deliver({ kind: 'answer', response: { jsonrpc: '2.0', id: 'q1', result: { ok: 1 } } })
    expect(await one?.answer).toEqual({ ok: 1 })
    live.deliver({ kind: 'end' })
    await expect(two?.answer).rejects.toThrow('The session has ended')
    expect(live.waiting).toBe(0)
  })
})

describe('keep', () => {
  test('touches the session as long as something is alive', async () => {
    const touched: string[] = []
    const get = (id: string): undefined => void touched.push(id)
    const at = home({ store: storeWith({ get }) })
    const live = new LiveSession(at, 's')
    live.keep()
    expect(at.clock.armed()).toBe(0)
    const one = member()
    live.add(one)
    live.keep()
    live.keep()
    expect(at.clock.armed()).toBe(1)
    await at.clock.advance(SESSION_TOUCH_MS * 2)
    expect(touched).toEqual(['s', 's'])
    // The store did not know it: whoever is alive hears that it is over.
    expect(one.heard).toEqual([{ kind: 'end' }, { kind: 'end' }])
    live.delete(one)
    expect(at.clock.armed()).toBe(0)
  })

  test('a store that fails is reported, and asked again', async () => {
    const get = () => Promise.reject(new Error('down'))
    const at = home({ store: storeWith({ get }) })
    const live = new LiveSession(at, 's')
    const one = member()
    live.add(one)
    live.keep()
    await at.clock.advance(SESSION_TOUCH_MS * 2)
    expect(reported.map(String)).toEqual(['Error: down', 'Error: down'])
    expect(one.heard).toEqual([])
  })
})

test('a page is remembered before anyone is told', () => {
  const order: unknown[] = []
  const at = home({ remember: (...page) => void order.push(page) })
  const live = new LiveSession(at, 's')
  live.add({ receive: (message) => void order.push(message) })
  live.expect('e')
  expect(order).toEqual([['e', 's'], { kind: 'elicitation', elicitationId: 'e' }])
})
