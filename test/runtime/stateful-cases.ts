/**
 * The cases that need more than one request: sessions, questions, listening, principals, and silence.
 *
 * @module
 */
import { read, type Answer } from '../support/answer.ts'
import { isRecord, messages, streamOf, type StreamEvent } from '../support/events.ts'
import { legacy, modern, type Params, type RequestOverrides } from '../support/requests.ts'
import { check, equal, first, pause } from './checks.ts'
import type { Place } from './fixture.ts'
import type { Case, Env } from './case.ts'

const shared = (env: Env): boolean => env.shared

/** The cases, in the order they run. */
export const statefulCases: readonly Case[] = [
  { name: 'session: opens, is required, ends', run: session, when: shared },
  {
    name: 'session: a question is asked on the stream of its call',
    run: legacyQuestion,
    when: shared,
  },
  { name: 'session: changes arrive on the GET stream', run: getStream, when: shared },
  { name: 'session: a lost stream is resumed', run: resumed, when: shared },
  { name: 'modern: questions travel in rounds', run: rounds },
  { name: 'modern: listening hears, and leaving frees', run: listening, when: shared },
  { name: 'auth: no token, a token, and a token that allows too little', run: authorization },
  {
    name: 'silence: a stream lives through 12 s of it',
    run: silence,
    when: ({ sockets }) => sockets,
  },
]

/** A call of a tool. */
interface Call extends RequestOverrides {
  readonly name: string
  /** Members of the parameters besides the name. */
  readonly more?: Params | undefined
}

/** How long a stream says nothing: longer than Bun waits unless told otherwise. */
const SILENCE_MS = 12_000

const FORM = { elicitation: { form: {} } }

async function open(env: Env): Promise<string> {
  const url = env.at('sessions')
  const hello = await read(await env.send(legacy('initialize', {}, { url, capabilities: FORM })))
  const id = hello.headers.get('mcp-session-id')
  if (id === null) throw new Error(`no session: ${hello.status} ${hello.text}`)
  const ready = legacy('notifications/initialized', {}, { url, session: id, id: null })
  equal((await env.send(ready)).status, 202, 'initialized')
  return id
}

function close(env: Env, id: string): Promise<Response> {
  const headers = { 'mcp-session-id': id, 'mcp-protocol-version': '2025-11-25' }
  return env.send(new Request(env.at('sessions'), { method: 'DELETE', headers }))
}

async function session(env: Env): Promise<void> {
  const url = env.at('sessions')
  const id = await open(env)
  const listed = await read(await env.send(legacy('tools/list', {}, { url, session: id })))
  equal(listed.status, 200, 'with the session')
  const unknown = await read(await env.send(legacy('tools/list', {}, { url, session: 'unknown' })))
  equal(unknown.status, 404, 'with an unknown session')
  check((await close(env, id)).ok, 'DELETE ends it')
  const gone = await read(await env.send(legacy('tools/list', {}, { url, session: id })))
  equal(gone.status, 404, 'after its end')
}

async function legacyQuestion(env: Env): Promise<void> {
  const url = env.at('sessions')
  const id = await open(env)
  const call = legacy('tools/call', { name: 'ask', arguments: {} }, { url, session: id, id: 9 })
  const contents = [{ name: 'Ada' }, { yes: true }]
  let text: unknown
  for await (const message of messages(await env.send(call))) {
    if (message['method'] === 'elicitation/create') {
      const result = { action: 'accept', content: contents.shift() }
      const body = { jsonrpc: '2.0', id: message['id'], result }
      equal((await env.send(legacy('', {}, { url, session: id, body }))).status, 202, 'answer')
    }
    if (isRecord(message['result'])) text = first(message['result']['content'])['text']
  }
  equal([text, contents.length], ['Hello Ada', 0], 'result')
  await close(env, id)
}

async function getStream(env: Env): Promise<void> {
  const url = env.at('sessions')
  const id = await open(env)
  const uri = 'data://text'
  await read(await env.send(legacy('resources/subscribe', { uri }, { url, session: id })))
  const headers = { accept: 'text/event-stream', 'mcp-session-id': id }
  const stream = messages(await env.send(new Request(url, { headers })))
  const next = stream.next()
  await pause(50)
  const touch = { name: 'touch', arguments: {} }
  await read(await env.send(legacy('tools/call', touch, { url, session: id })))
  const { value } = await next
  equal(isRecord(value) && value['method'], 'notifications/resources/updated', 'change')
  await stream.return(undefined)
  await close(env, id)
}

async function resumed(env: Env): Promise<void> {
  const url = env.at('sessions')
  const id = await open(env)
  const leave = new AbortController()
  const params = { name: 'wait', arguments: { ms: 300, report: true } }
  const call = legacy('tools/call', params, {
    url,
    session: id,
    id: 'lost',
    meta: { progressToken: 1 },
    signal: leave.signal,
  })
  const stream = streamOf(await env.send(call))
  const seen = await nextWithId(stream)
  leave.abort()
  await stream.return(undefined).catch(() => undefined)
  const headers = {
    accept: 'text/event-stream',
    'mcp-session-id': id,
    'last-event-id': seen,
  }
  for await (const { id: answered } of messages(await env.send(new Request(url, { headers })))) {
    if (answered === 'lost') break
  }
  await close(env, id)
}

async function nextWithId(stream: AsyncGenerator<StreamEvent, void, undefined>): Promise<string> {
  for (;;) {
    const { done, value } = await stream.next()
    if (done === true) throw new Error('the stream ended before an event with an id')
    if (value.kind === 'event' && value.id !== undefined && value.data !== '') return value.id
  }
}

async function rounds(env: Env): Promise<void> {
  const contents: Record<string, Params> = { name: { name: 'Ada' }, sure: { yes: true } }
  let more: Params = {}
  for (let round = 0; round < 3; round += 1) {
    const answer = await called(env, 'mcp', { name: 'ask', more, capabilities: FORM })
    if (answer.result?.['resultType'] !== 'input_required') {
      equal([round, first(answer.result?.['content'])['text']], [2, 'Hello Ada'], 'result')
      return
    }
    const { inputRequests, requestState } = answer.result
    const keys = isRecord(inputRequests) ? Object.keys(inputRequests) : []
    const responses = keys.map((key) => [key, { action: 'accept', content: contents[key] }])
    more = { inputResponses: Object.fromEntries(responses), requestState }
  }
  throw new Error('it asks without end')
}

async function listening(env: Env): Promise<void> {
  const url = env.at('sessions')
  const filter = { notifications: { resourceSubscriptions: ['data://text'] } }
  const stream = messages(await env.send(modern('subscriptions/listen', filter, { url })))
  const methods = [(await stream.next()).value?.['method']]
  await called(env, 'sessions', { name: 'touch' })
  methods.push((await stream.next()).value?.['method'])
  const expected = ['notifications/subscriptions/acknowledged', 'notifications/resources/updated']
  equal(methods, expected, 'notifications')
  await stream.return(undefined)
}

async function authorization(env: Env): Promise<void> {
  const call = (name: string, token?: string): Promise<Answer> => {
    const headers = token === undefined ? {} : { authorization: `Bearer ${token}` }
    return called(env, 'auth', { name, headers })
  }
  const refused = await call('who')
  equal([refused.status, refused.headers.get('www-authenticate')], [401, 'Bearer'], 'no token')
  equal(first((await call('who', 'alan')).result?.['content'])['text'], 'alan', 'who asks')
  equal((await call('admin', 'alan')).status, 403, 'too few scopes')
  equal(first((await call('admin', 'ada')).result?.['content'])['text'], 'welcome', 'enough scopes')
}

async function silence(env: Env): Promise<void> {
  const more = { arguments: { ms: SILENCE_MS, report: true } }
  const answer = await called(env, 'silent', { name: 'wait', more, meta: { progressToken: 1 } })
  equal(first(answer.result?.['content'])['text'], 'done', 'after the silence')
}

async function called(env: Env, place: Place, call: Call): Promise<Answer> {
  const { name, more = {}, ...overrides } = call
  const params = { name, arguments: {}, ...more }
  return read(await env.send(modern('tools/call', params, { url: env.at(place), ...overrides })))
}
