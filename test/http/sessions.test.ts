import { describe, expect, test } from 'vitest'
import { ownerOf } from '../../src/http/sessions.ts'
import { InvalidRequestError } from '../../src/protocol/errors.ts'
import { MAX_EXPECTED_ELICITATIONS, MAX_SESSION_URIS } from '../../src/protocol/limits.ts'
import type { SessionStore } from '../../src/stores/session-store.ts'
import { isRecord, read } from '../support/index.ts'
import { gate, quiet } from './served.ts'
import { sessionParts, storeWith, visitOf } from './session-parts.ts'
import { rig } from './session-rig.ts'

const ada = { subject: 'ada', scopes: [] }

describe('entering', () => {
  const serve = () => new Response('in')
  const page = 'https://app.example.com'

  test('a session is entered by its id, and by its owner only', async () => {
    const { sessions, open } = sessionParts()
    const { id } = await open({ owner: ownerOf(ada) })
    const strangers = { ...ada, issuer: 'https://x.y' }
    const visits = [
      { ...visitOf(id), auth: ada },
      { ...visitOf(id), auth: strangers },
      visitOf(id),
      visitOf('made-up'),
      visitOf(),
    ]
    const statuses: number[] = []
    for (const visit of visits) statuses.push((await sessions.enter(visit, serve)).status)
    expect(statuses).toEqual([200, 404, 404, 404, 400])
  })

  test('a refusal repeats the id of the request, and says as little as another', async () => {
    const { sessions, open } = sessionParts()
    const { id } = await open({ owner: ownerOf(ada) })
    const somebodys = await (await sessions.enter(visitOf(id), serve, 7)).json()
    const nobodys = await (await sessions.enter(visitOf('made-up'), serve, 7)).json()
    expect(somebodys).toEqual(nobodys)
    expect(somebodys).toMatchObject({ id: 7, error: { code: -32600 } })
  })

  test.each([
    [page, { origin: page }, 200],
    [page, {}, 200],
    [page, { origin: 'https://evil.example.com' }, 403],
    [undefined, { origin: page }, 200],
  ])('a session opened from %s admits %j: %d', async (origin, headers, status) => {
    const { sessions, open } = sessionParts()
    const { id } = await open({ origin })
    expect((await sessions.enter(visitOf(id, headers), serve)).status).toBe(status)
  })

  test.each([
    [true, 200],
    [false, 403],
  ])('where ownsSession says %s it is %d', async (owns, status) => {
    for (const ownsSession of [() => owns, async () => owns]) {
      const { sessions, open } = sessionParts({ ownsSession })
      const { id } = await open()
      expect((await sessions.enter(visitOf(id), serve)).status).toBe(status)
    }
  })
})

describe('what is alive', () => {
  const member = { receive: () => undefined }

  test('is one thing for a session, as long as there is anything', () => {
    const { sessions } = sessionParts()
    const live = sessions.live('s')
    live.add(member)
    expect([sessions.live('s') === live, sessions.live('t') === live]).toEqual([true, false])
    live.delete(member)
    expect(sessions.live('s')).not.toBe(live)
  })

  test('is shared by no two requests where a request owns what it opens', () => {
    const { sessions } = sessionParts({ requestBound: true })
    const live = sessions.live('s')
    live.add(member)
    expect(sessions.live('s')).not.toBe(live)
    expect(sessions.stats().sessions).toBe(0)
  })

  test('closing ends it, and leaves the sessions be', async () => {
    const { sessions, open } = sessionParts()
    const { id } = await open()
    const heard: unknown[] = []
    sessions.live(id).add({ receive: (message) => void heard.push(message) })
    sessions.close()
    expect(heard).toEqual([{ kind: 'end' }])
    expect(await sessions.store.get(id)).toMatchObject({ id })
  })
})

describe('bounds', () => {
  test('a session subscribes to so many resources, and again to those it has', async () => {
    const { sessions, open } = sessionParts()
    const { id } = await open()
    for (let index = 0; index < MAX_SESSION_URIS; index += 1) {
      await sessions.update(id, { subscribe: `x://${index}` })
    }
    await expect(sessions.update(id, { subscribe: 'x://more' })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining(String(MAX_SESSION_URIS)),
    })
    await sessions.update(id, { subscribe: 'x://0' })
    await sessions.update(id, { unsubscribe: 'x://0' })
    await sessions.update(id, { subscribe: 'x://more' })
    expect((await sessions.store.get(id))?.uris).toHaveLength(MAX_SESSION_URIS)
  })

  test('so many pages are kept in mind; the one heard of longest ago goes first', () => {
    const { sessions } = sessionParts()
    sessions.remember('first', 'a')
    sessions.remember('second', 'a')
    sessions.remember('first', 'a')
    for (let index = 2; index <= MAX_EXPECTED_ELICITATIONS; index += 1) {
      sessions.remember(`page ${index}`, 'b')
    }
    expect(sessions.expectedBy('a')).toEqual(['first'])
    sessions.done('first')
    expect(sessions.expectedBy('a')).toEqual([])
  })
})

test('moments only grow, also while the clock stands still', async () => {
  const { sessions, clock } = sessionParts()
  const moments = [sessions.nextMoment(), sessions.nextMoment()]
  await clock.advance(1_000)
  moments.push(sessions.nextMoment())
  const start = moments[0] ?? 0
  expect(moments).toEqual([start, start + 1, start + 1_000])
})

test('ids of questions are new, and no other handler makes them', () => {
  const [one, two] = [sessionParts().sessions, sessionParts().sessions]
  const ids = [one, one, two, two].map((sessions) => sessions.nextQuestionId())
  expect(new Set(ids).size).toBe(4)
})

test('the frame of a change is encoded once for all that hear of it in turn', () => {
  const { sessions } = sessionParts()
  const frame = sessions.frameOf('1')
  expect(sessions.frameOf('1')).toBe(frame)
  expect(sessions.frameOf('2')).toEqual(new TextEncoder().encode('event: message\ndata: 2\n\n'))
})

describe('a store that fails', () => {
  test('is a masked 500 for its own session, reported once', async () => {
    const { server, reported } = quiet()
    const memory = storeWith({})
    let failing = false
    const get: SessionStore['get'] = (id) => {
      if (failing) throw new Error('secret')
      return memory.get(id)
    }
    const client = await rig(server, { sessions: { ...memory, get } }).open()
    failing = true
    const answer = await read(await client.send('ping'))
    expect([answer.status, answer.text.includes('secret')]).toEqual([500, false])
    expect(reported).toHaveLength(1)
    failing = false
    expect((await client.ask('ping')).result).toEqual({})
  })

  test('one that is slow holds up only its own session', async () => {
    const { server } = quiet()
    const memory = storeWith({})
    const lag = gate()
    const slowId: string[] = []
    const get: SessionStore['get'] = async (id) => {
      if (slowId.includes(id)) await lag.passed
      return memory.get(id)
    }
    const sessions = { ...memory, get }
    const { open } = rig(server, { sessions })
    const [one, two] = [await open(), await open()]
    slowId.push(one.id)
    const waiting = one.ask('ping')
    expect((await two.ask('ping')).result).toEqual({})
    lag.open()
    expect((await waiting).result).toEqual({})
  })

  test('one that cannot change says so', async () => {
    const { server } = quiet()
    const sessions = storeWith({
      traits: { mutable: false, consistent: true, mail: false },
      update: () => {
        throw new InvalidRequestError('This store keeps nothing')
      },
    })
    const client = await rig(server, { sessions }).open()
    expect((await client.notify('notifications/initialized')).status).toBe(202)
    const answer = await client.ask('logging/setLevel', { level: 'info' })
    expect(answer.error?.['code']).toBe(-32601)
    expect(isRecord((await client.ask('ping')).result)).toBe(true)
  })
})
