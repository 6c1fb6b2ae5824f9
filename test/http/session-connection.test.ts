import { expect, test } from 'vitest'
import { SessionConnection } from '../../src/http/session-connection.ts'
import { settle } from '../support/index.ts'
import { sessionParts, textOf } from './session-parts.ts'

const auth = { subject: 'ada', scopes: [] }

test('is alive for its session until it is closed, once', async () => {
  const { sessions, clock } = sessionParts()
  const live = sessions.live('s')
  const connection = new SessionConnection(sessions, live, {
    stream: 'x',
    auth: { ...auth, expiresAt: clock.now() / 1000 + 60 },
  })
  expect([connection.session, connection.stream, connection.open]).toEqual(['s', 'x', true])
  expect([...live.members, ...sessions.connections]).toEqual([connection, connection])
  connection.close()
  connection.close()
  expect(connection.open).toBe(false)
  expect([live.members.size, sessions.connections.size, clock.armed()]).toEqual([0, 0, 0])
  expect(sessions.stats().sessions).toBe(0)
  expect(await textOf(connection.sse)).toBe('')
})

test('ends with its credentials, with its session, and with its reader', async () => {
  const { sessions, clock } = sessionParts({ keepaliveMs: null })
  const open = (expiresAt?: number) =>
    new SessionConnection(sessions, sessions.live('s'), {
      stream: 'x',
      auth: { ...auth, expiresAt },
    })
  const expiring = open(clock.now() / 1000 + 60)
  await clock.advance(59_999)
  expect(expiring.open).toBe(true)
  await clock.advance(1)
  expect(expiring.open).toBe(false)
  const ending = open()
  ending.receive({ kind: 'end' })
  expect(ending.open).toBe(false)
  const left = open()
  await left.sse.readable.cancel()
  expect(left.open).toBe(false)
})

test('the connection that was opened last carries the stream, whatever order the mail has', async () => {
  const { sessions } = sessionParts()
  const live = sessions.live('s')
  const [first, second, other] = ['x', 'x', 'y'].map(
    (stream) => new SessionConnection(sessions, live, { stream, auth: undefined }),
  )
  await second?.takeOver()
  await first?.takeOver()
  await settle()
  expect([first?.open, second?.open, other?.open]).toEqual([false, true, true])
})

test('a connection elsewhere takes over from one that is not newer', () => {
  const { sessions, clock } = sessionParts()
  const live = sessions.live('s')
  const connection = new SessionConnection(sessions, live, { stream: 'x', auth: undefined })
  const takeover = { kind: 'takeover', stream: 'x', holder: 'elsewhere' } as const
  connection.receive({ ...takeover, at: clock.now() - 1 })
  expect(connection.open).toBe(true)
  connection.receive({ ...takeover, at: clock.now() })
  expect(connection.open).toBe(false)
})
