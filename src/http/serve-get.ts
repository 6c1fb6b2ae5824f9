/**
 * GET: the stream of what a session is told unasked, or the rest of a stream that broke off.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#resumability-and-redelivery
 * @module
 */
import {
  EVENT_STREAM_TYPE,
  LAST_EVENT_ID_HEADER,
  SESSION_ID_HEADER,
} from '../protocol/constants.ts'
import { featuresOf } from '../protocol/versions.ts'
import { onAbort } from '../shared/abort.ts'
import type { Awaitable } from '../shared/fetch.ts'
import { accepts } from '../shared/media-type.ts'
import type { EventStore } from '../stores/event-store.ts'
import type { SessionRecord } from '../stores/session-store.ts'
import { toEventFrame } from './event-channel.ts'
import { GET_STREAM, GetStream } from './get-stream.ts'
import type { SessionConnection } from './session-connection.ts'
import { refused, streamResponse } from './responses.ts'
import { ResumedStream } from './resumed-stream.ts'
import type { Sessions, SessionVisit } from './sessions.ts'

/**
 * Answers a GET.
 *
 * @param sessions the sessions of the handler where it arrived
 * @param visit the request
 * @throws whatever a store, the bus or the `ownsSession` option throws
 */
export function serveGet(sessions: Sessions, visit: SessionVisit): Awaitable<Response> {
  const { headers } = visit.request
  if (!accepts(headers.get('accept'), EVENT_STREAM_TYPE)) {
    return refused(visit, 406, `Accept must admit ${EVENT_STREAM_TYPE}`)
  }
  return sessions.enter(visit, (record) => {
    const lastEventId = headers.get(LAST_EVENT_ID_HEADER)
    return lastEventId === null
      ? openStream(sessions, visit, record)
      : resume(sessions, visit, { record, lastEventId })
  })
}

async function openStream(
  sessions: Sessions,
  visit: SessionVisit,
  record: SessionRecord,
): Promise<Response> {
  if (isTaken(sessions, record.id)) {
    return refused(visit, 409, 'The session has a GET stream already')
  }
  const stream = new GetStream(sessions, sessions.live(record.id), { record, auth: visit.auth })
  return connected(stream, visit, async () => {
    await prepare(stream)
    stream.start('', sessions.events !== undefined && featuresOf(record.revision).priming)
  })
}

function isTaken(sessions: Sessions, id: string): boolean {
  if (sessions.host.settings.getStream !== 'refuse') return false
  return [...sessions.connections].some(
    (connection) => connection.session === id && connection.stream === GET_STREAM,
  )
}

/** Where a client wants to go on. */
interface Resumption {
  readonly record: SessionRecord
  readonly lastEventId: string
}

async function resume(
  sessions: Sessions,
  visit: SessionVisit,
  { record, lastEventId }: Resumption,
): Promise<Response> {
  const { events } = sessions
  if (events === undefined) return unknownEvent(visit)
  const missed = await read(events, record.id, lastEventId)
  if (missed === 'unknown') return unknownEvent(visit)
  if (missed.ended) return streamResponse(missed.text, withSession(visit, record))
  const live = sessions.live(record.id)
  const { auth } = visit
  const stream =
    missed.stream === GET_STREAM
      ? new GetStream(sessions, live, { record, auth })
      : new ResumedStream(sessions, live, { stream: missed.stream, auth })
  return connected(stream, visit, async () => {
    await prepare(stream)
    // What was added before we took over is in the log by now, what comes after is held for us.
    const late = await read(events, record.id, missed.lastId)
    const more = late === 'unknown' ? NOTHING : late
    if (stream instanceof GetStream) stream.start(missed.text + more.text, false)
    else stream.start(missed.text + more.text, new Set([...missed.ids, ...more.ids]))
    if (more.ended) stream.close()
  })
}

/** Hears what is said from now on, then takes the stream over from whoever carried it. */
async function prepare(stream: SessionConnection): Promise<void> {
  // Nothing is waited for that has been done at once: what is published meanwhile would be heard by
  // both connections, or by none.
  const listening = stream.listen()
  if (listening instanceof Promise) await listening
  const subscribing = stream instanceof GetStream ? stream.subscribe() : undefined
  if (subscribing instanceof Promise) await subscribing
  await stream.takeOver()
}

/** The response of a connection; one that cannot be prepared leaves nothing behind. */
async function connected(
  stream: SessionConnection,
  visit: SessionVisit,
  begin: () => Promise<void>,
): Promise<Response> {
  try {
    await begin()
  } catch (error) {
    stream.close()
    throw error
  }
  // Some platforms say only here that the client is gone.
  onAbort(visit.request.signal, () => stream.sse.abandon())
  return streamResponse(stream.sse.readable, withSession(visit, { id: stream.session }))
}

interface Missed {
  readonly stream: string
  readonly text: string
  readonly ids: readonly string[]
  readonly lastId: string
  /** Nothing will follow. */
  readonly ended: boolean
}

const NOTHING: Pick<Missed, 'text' | 'ids' | 'ended'> = { text: '', ids: [], ended: false }

async function read(
  events: EventStore,
  session: string,
  lastEventId: string,
): Promise<Missed | 'unknown'> {
  const ids: string[] = []
  let text = ''
  const replay = await events.replay(session, lastEventId, (id, data) => {
    ids.push(id)
    text += toEventFrame({ id, data, final: false })
  })
  if (replay === 'unknown') return replay
  return { ...replay, text, ids, lastId: ids.at(-1) ?? lastEventId }
}

function withSession(
  visit: SessionVisit,
  { id }: { readonly id: string },
): Readonly<Record<string, string>> {
  return { ...visit.extra, [SESSION_ID_HEADER]: id }
}

function unknownEvent(visit: SessionVisit): Response {
  return refused(visit, 400, 'There is no such event to go on from')
}
