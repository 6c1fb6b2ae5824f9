/**
 * What has to hold on every runtime, as plain functions: no test runner, no Node.
 *
 * @module
 */
import { read, type Answer } from '../support/answer.ts'
import { isRecord, messages, streamOf } from '../support/events.ts'
import { legacy, modern, type Params, type RequestOverrides } from '../support/requests.ts'
import { check, equal, first, names, pause, until } from './checks.ts'
import { REQUEST_BYTES } from './fixture.ts'
import type { Case, Env } from './case.ts'
import { statefulCases } from './stateful-cases.ts'

/** Every case, in the order they run. */
export const cases: readonly Case[] = [
  { name: 'modern: discover, lists and calls answer as JSON', run: modernJson },
  { name: 'modern: resources, templates, prompts and completion', run: modernContent },
  { name: 'modern: bad arguments, refusals, crashes and unknown methods', run: modernErrors },
  { name: 'legacy: initialize, notification and stateless calls', run: legacyJson },
  { name: 'legacy: a batch of 2025-03-26', run: legacyBatch },
  { name: 'SSE: progress arrives while the tool still runs', run: liveProgress },
  { name: 'SSE: a long call becomes a stream with keepalives', run: lateUpgrade },
  { name: 'SSE or JSON: what the client accepts decides', run: negotiation },
  { name: 'disconnect: a stream the client leaves aborts the call', run: abortStream },
  { name: 'disconnect: a client that leaves before the answer aborts the call', run: abortPending },
  { name: 'disconnect: a legacy call goes on', run: legacyGoesOn },
  { name: 'limits: body size and nesting', run: limits },
  { name: 'guards: Host and Origin', run: guards },
  { name: 'HTTP: media types and verbs', run: httpRules },
  { name: 'many calls of both eras with equal ids do not cross', run: concurrency },
  ...statefulCases,
  { name: 'at rest: nothing is counted as in use', run: atRest },
]

type Ask = (method: string, params?: Params, overrides?: RequestOverrides) => Promise<Answer>

function ask(env: Env): Ask {
  return async (method, params, overrides) =>
    read(await env.send(modern(method, params, { url: env.at('mcp'), ...overrides })))
}

function askLegacy(env: Env): Ask {
  return async (method, params, overrides) =>
    read(await env.send(legacy(method, params, { url: env.at('mcp'), ...overrides })))
}

async function modernJson(env: Env): Promise<void> {
  const discovered = await ask(env)('server/discover')
  equal(discovered.status, 200, 'status of server/discover')
  equal(discovered.result?.['supportedVersions'], ['2026-07-28'], 'supportedVersions')
  const listed = await ask(env)('tools/list')
  equal(listed.form, 'json', 'form of tools/list')
  check(names(listed.result?.['tools']).includes('echo'), 'echo is listed')
  const called = await ask(env)('tools/call', { name: 'add', arguments: { a: 2, b: 3 } })
  equal(called.form, 'json', 'form of tools/call')
  equal(called.result?.['structuredContent'], { sum: 5 }, 'structuredContent')
  equal(called.result?.['resultType'], 'complete', 'resultType')
  equal(called.headers.get('content-type')?.split(';')[0], 'application/json', 'content type')
}

async function modernContent(env: Env): Promise<void> {
  const text = await ask(env)('resources/read', { uri: 'data://text' })
  equal(first(text.result?.['contents'])['text'], 'plain ✓', 'text resource')
  const bytes = await ask(env)('resources/read', { uri: 'data://bytes' })
  equal(first(bytes.result?.['contents'])['blob'], 'AAH+/w==', 'binary resource')
  const user = await ask(env)('resources/read', { uri: 'data://users/ada' })
  equal(first(user.result?.['contents'])['text'], 'user ada', 'template')
  const prompt = await ask(env)('prompts/get', { name: 'greet', arguments: { name: 'Ada' } })
  equal(first(prompt.result?.['messages'])['role'], 'user', 'prompt')
  const completed = await ask(env)('completion/complete', {
    ref: { type: 'ref/resource', uri: 'data://users/{id}' },
    argument: { name: 'id', value: 'al' },
  })
  const completion = completed.result?.['completion']
  equal(isRecord(completion) ? completion['values'] : undefined, ['alan'], 'completion')
}

async function modernErrors(env: Env): Promise<void> {
  for (const args of [{}, { text: 5 }]) {
    const bad = await ask(env)('tools/call', { name: 'echo', arguments: args })
    equal(bad.result?.['isError'], true, 'bad arguments')
  }
  const wrong = await ask(env)('tools/call', { name: 'add', arguments: { a: 'x', b: 1 } })
  equal(wrong.result?.['isError'], true, 'bad arguments against plain JSON Schema')
  const refused = await ask(env)('tools/call', { name: 'refuse', arguments: {} })
  equal(first(refused.result?.['content'])['text'], 'not today', 'ToolError text')
  const crashed = await ask(env)('tools/call', { name: 'crash', arguments: {} })
  check(!crashed.text.includes('secret'), 'a crash is masked')
  const unknown = await ask(env)('no/such')
  equal([unknown.status, unknown.error?.['code']], [404, -32601], 'unknown method')
  const tool = await ask(env)('tools/call', { name: '__proto__', arguments: {} })
  equal(tool.error?.['code'], -32602, 'unknown tool')
  const mismatch = await ask(env)('tools/list', {}, { headers: { 'mcp-method': 'tools/call' } })
  equal([mismatch.status, mismatch.error?.['code']], [400, -32020], 'mirrored header')
}

async function legacyJson(env: Env): Promise<void> {
  for (const revision of ['2025-03-26', '2025-06-18', '2025-11-25']) {
    const hello = await askLegacy(env)('initialize', {}, { revision })
    equal(hello.result?.['protocolVersion'], revision, 'negotiated revision')
    const ready = await askLegacy(env)('notifications/initialized', {}, { revision, id: null })
    equal([ready.status, ready.text], [202, ''], 'notification')
    const params = { name: 'echo', arguments: { text: 'hi' } }
    const called = await askLegacy(env)('tools/call', params, { revision, id: 'x' })
    equal(called.form, 'json', 'form')
    equal(called.response?.['id'], 'x', 'id')
    equal(first(called.result?.['content'])['text'], 'hi', 'content')
    check(called.result !== undefined && !('resultType' in called.result), 'no resultType')
  }
}

async function legacyBatch(env: Env): Promise<void> {
  const calls = [1, '1'].map((id) => ({ jsonrpc: '2.0', id, method: 'ping' }))
  const answer = await askLegacy(env)('', {}, { revision: '2025-03-26', body: calls })
  equal(answer.status, 200, 'status')
  equal(
    answer.messages.map(({ id }) => id),
    [1, '1'],
    'ids',
  )
}

async function liveProgress(env: Env): Promise<void> {
  for (const build of [modern, legacy]) {
    const params = { name: 'gated', arguments: {} }
    const meta = { progressToken: 'p' }
    const response = await env.send(build('tools/call', params, { url: env.at('mcp'), meta }))
    equal(response.headers.get('content-type')?.split(';')[0], 'text/event-stream', 'content type')
    const progress: unknown[] = []
    let text: unknown
    for await (const message of messages(response)) {
      const { params: body, result } = message
      if (isRecord(body)) progress.push(body['progress'])
      if (progress.length === 1) await ask(env)('tools/call', { name: 'open', arguments: {} })
      if (isRecord(result)) text = first(result['content'])['text']
    }
    equal(progress, [1, 2], 'progress')
    equal(text, 'open', 'result')
  }
}

async function lateUpgrade(env: Env): Promise<void> {
  const params = { name: 'wait', arguments: { ms: 500, report: false } }
  const response = await env.send(modern('tools/call', params, { url: env.at('mcp') }))
  equal(response.headers.get('content-type')?.split(';')[0], 'text/event-stream', 'content type')
  const items = await Array.fromAsync(streamOf(response))
  check(
    items.some(({ kind }) => kind === 'comment'),
    'a keepalive comment',
  )
  equal(items.filter(({ kind }) => kind === 'event').length, 1, 'events')
}

async function negotiation(env: Env): Promise<void> {
  const params = { name: 'echo', arguments: { text: 'é' } }
  const sse = await ask(env)('tools/call', params, { headers: { accept: 'text/event-stream' } })
  equal([sse.form, first(sse.result?.['content'])['text']], ['sse', 'é'], 'only SSE accepted')
  const meta = { progressToken: 1 }
  const waiting = { name: 'wait', arguments: { ms: 20, report: true } }
  const headers = { accept: 'application/json' }
  const json = await ask(env)('tools/call', waiting, { headers, meta })
  equal([json.form, json.messages.length], ['json', 1], 'only JSON accepted')
  const none = await ask(env)('tools/list', {}, { headers: { accept: 'image/png' } })
  equal(none.status, 406, 'nothing acceptable')
}

async function abortStream(env: Env): Promise<void> {
  const before = await seen(env, 'aborted')
  const leave = new AbortController()
  const params = { name: 'wait', arguments: { ms: 5_000, report: true } }
  const request = modern('tools/call', params, {
    url: env.at('mcp'),
    meta: { progressToken: 'p' },
    signal: leave.signal,
  })
  const stream = messages(await env.send(request))
  check((await stream.next()).done === false, 'progress arrives')
  leave.abort()
  await stream.return(undefined).catch(() => undefined)
  await until(async () => (await seen(env, 'aborted')) > before, 'the call is aborted')
}

async function abortPending(env: Env): Promise<void> {
  const before = await seen(env, 'aborted')
  const leave = new AbortController()
  const params = { name: 'wait', arguments: { ms: 5_000, report: false } }
  const accept = env.noticesSilence ? 'application/json' : 'application/json, text/event-stream'
  const request = modern('tools/call', params, {
    url: env.at('mcp'),
    headers: { accept },
    signal: leave.signal,
  })
  const answer = env.send(request).then(
    () => 'answered',
    () => 'left',
  )
  await pause(60)
  leave.abort()
  await until(async () => (await seen(env, 'aborted')) > before, 'the call is aborted')
  await Promise.race([answer, pause(1_000)])
}

async function legacyGoesOn(env: Env): Promise<void> {
  const [finished, aborted] = [await seen(env, 'finished'), await seen(env, 'aborted')]
  const leave = new AbortController()
  const params = { name: 'wait', arguments: { ms: 400, report: true } }
  const request = legacy('tools/call', params, {
    url: env.at('mcp'),
    meta: { progressToken: 'p' },
    signal: leave.signal,
  })
  const stream = messages(await env.send(request))
  await stream.next()
  leave.abort()
  await stream.return(undefined).catch(() => undefined)
  await until(async () => (await seen(env, 'finished')) > finished, 'the call finishes')
  equal(await seen(env, 'aborted'), aborted, 'aborted calls')
}

async function limits(env: Env): Promise<void> {
  const text = 'x'.repeat(REQUEST_BYTES)
  const large = await ask(env)('tools/call', { name: 'echo', arguments: { text } })
  equal(large.status, 413, 'a large body with a declared length')
  const source = modern('tools/call', { name: 'echo', arguments: { text } }, { url: env.at('mcp') })
  const bytes = new TextEncoder().encode(await source.text())
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(bytes)
      controller.close()
    },
  })
  const chunked = { method: 'POST', headers: source.headers, body, duplex: 'half' }
  const streamed = await read(await env.send(new Request(env.at('mcp'), chunked)))
  equal(streamed.status, 413, 'a large body without a length')
  const deep = `${'['.repeat(40)}${']'.repeat(40)}`
  const nested = await ask(env)('tools/list', {}, { body: deep })
  equal([nested.status, nested.error?.['code']], [400, -32700], 'deep nesting')
  const broken = await ask(env)('tools/list', {}, { body: '{' })
  equal([broken.status, broken.error?.['code']], [400, -32700], 'broken JSON')
}

async function guards(env: Env): Promise<void> {
  const { host, origin } = new URL(env.at('mcp'))
  const evil = await ask(env)('tools/list', {}, { headers: { origin: 'https://evil.example' } })
  equal(evil.status, 403, 'a foreign origin')
  const own = await ask(env)('tools/list', {}, { headers: { origin } })
  equal(own.status, 200, 'the own origin')
  equal(await env.statusForHost('evil.example'), 403, 'a foreign host')
  equal(await env.statusForHost(host), 200, 'the own host')
}

async function httpRules(env: Env): Promise<void> {
  const typed = await ask(env)('tools/list', {}, { headers: { 'content-type': 'text/plain' } })
  equal(typed.status, 415, 'a wrong content type')
  for (const method of ['GET', 'DELETE', 'PUT', 'HEAD']) {
    const headers = { accept: 'text/event-stream' }
    const response = await env.send(new Request(env.at('mcp'), { method, headers }))
    equal([method, response.status], [method, 405], 'verb')
    check(response.headers.get('allow')?.startsWith('POST') === true, 'Allow names POST')
    await response.body?.cancel()
  }
}

async function concurrency(env: Env): Promise<void> {
  const answers = Array.from({ length: 60 }, async (_, index) => {
    const params = { name: 'echo', arguments: { text: `call ${index}` } }
    const answer = await (index % 2 === 0 ? ask : askLegacy)(env)('tools/call', params, { id: 7 })
    return first(answer.result?.['content'])['text']
  })
  const expected = answers.map((_, index) => `call ${index}`)
  equal(await Promise.all(answers), expected, 'answers')
}

async function atRest(env: Env): Promise<void> {
  let last: Readonly<Record<string, number>> = {}
  await until(async () => {
    last = await env.stats()
    return Object.values(last).every((count) => count === 0)
  }, 'stats() are all zero').catch((cause: unknown) => {
    throw new Error(`stats() say ${JSON.stringify(last)}`, { cause })
  })
}

async function seen(env: Env, what: 'aborted' | 'finished'): Promise<number> {
  const answer = await ask(env)('tools/call', { name: 'seen', arguments: {} })
  const counts: unknown = JSON.parse(String(first(answer.result?.['content'])['text']))
  return isRecord(counts) ? Number(counts[what]) : Number.NaN
}
