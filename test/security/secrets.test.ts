/**
 * What hooks and handlers throw never reaches a peer, whatever it is and wherever it is thrown.
 */
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import type { HandlerOptions } from '../../src/http/options.ts'
import type { ServerOptions } from '../../src/server/options.ts'
import type { StandardSchema } from '../../src/schema/standard.ts'
import { legacy, modern } from '../support/index.ts'
import { quiet, raise, served } from '../http/served.ts'

const SECRET = 'hunter2'

class Loud extends Error {
  readonly hunter2 = SECRET
  override readonly name = SECRET
  toJSON(): unknown {
    return { SECRET }
  }
}

const thrown: readonly (readonly [string, unknown])[] = [
  ['an Error', new Error(SECRET, { cause: SECRET })],
  ['undefined', undefined],
  ['a string', SECRET],
  ['an object', { message: SECRET, code: -32000, data: SECRET }],
  ['a subclass', new Loud(SECRET)],
]

/** A schema whose validation throws. */
function brittle(value: unknown): StandardSchema<{ readonly a: string }> {
  return {
    '~standard': {
      version: 1,
      vendor: 'brittle',
      validate: () => raise(value),
      jsonSchema: {
        input: () => ({ type: 'object', properties: { a: { type: 'string' } } }),
        output: () => ({ type: 'object' }),
      },
    },
  }
}

interface Place {
  readonly method: string
  readonly params?: Record<string, unknown>
  readonly server?: (value: unknown) => Partial<ServerOptions>
  readonly options?: (value: unknown) => HandlerOptions
  readonly define?: (server: ReturnType<typeof quiet>['server'], value: unknown) => void
}

const places: Readonly<Record<string, Place>> = {
  'a tool': {
    method: 'tools/call',
    params: { name: 't' },
    define: (s, value) => s.tool('t', {}, () => raise(value)),
  },
  'an async tool': {
    method: 'tools/call',
    params: { name: 't' },
    define: (s, value) => s.tool('t', {}, async () => raise(value)),
  },
  'validation of arguments': {
    method: 'tools/call',
    params: { name: 't', arguments: {} },
    define: (s, value) => s.tool('t', { input: brittle(value) }, () => 'x'),
  },
  'validation of output': {
    method: 'tools/call',
    params: { name: 't' },
    define: (s, value) => s.tool('t', { output: brittle(value) }, () => ({ a: SECRET })),
  },
  'output that its schema refuses': {
    method: 'tools/call',
    params: { name: 't' },
    define: (s) =>
      s.tool('t', { output: z.object({ n: z.number() }) }, (() => ({ n: SECRET })) as never),
  },
  'toJSON of what a tool returns': {
    method: 'tools/call',
    params: { name: 't' },
    define: (s, value) => s.tool('t', { output: z.any() }, () => ({ toJSON: () => raise(value) })),
  },
  'a resource': {
    method: 'resources/read',
    params: { uri: 'a://b' },
    define: (s, value) => s.resource('a://b', { name: 'a' }, () => raise(value)),
  },
  'a template': {
    method: 'resources/read',
    params: { uri: 'a://b' },
    define: (s, value) => s.resourceTemplate('a://{x}', { name: 'a' }, async () => raise(value)),
  },
  'the fallback of resources': {
    method: 'resources/read',
    params: { uri: 'a://b' },
    define: (s, value) => s.readResource(() => raise(value)),
  },
  'a prompt': {
    method: 'prompts/get',
    params: { name: 'p' },
    define: (s, value) => s.prompt('p', {}, () => raise(value)),
  },
  'validation of a prompt': {
    method: 'prompts/get',
    params: { name: 'p', arguments: {} },
    define: (s, value) => s.prompt('p', { input: brittle(value) as never }, () => []),
  },
  'a completer': {
    method: 'completion/complete',
    params: { ref: { type: 'ref/resource', uri: 'a://{x}' }, argument: { name: 'x', value: '' } },
    define: (s, value) =>
      s.resourceTemplate('a://{x}', { name: 'a', complete: { x: () => raise(value) } }, () => 'x'),
  },
  'the fallback of completion': {
    method: 'completion/complete',
    params: { ref: { type: 'ref/prompt', name: 'x' }, argument: { name: 'x', value: '' } },
    define: (s, value) => s.complete(async () => raise(value)),
  },
  'a custom method': {
    method: 'acme/m',
    define: (s, value) => s.method('acme/m', {}, () => raise(value)),
  },
  'validation of a custom method': {
    method: 'acme/m',
    define: (s, value) => s.method('acme/m', { input: brittle(value) }, () => ({})),
  },
  'a decorator': {
    method: 'acme/m',
    define: (s, value) => {
      s.method('acme/m', {}, () => ({}))
      s.use({
        id: 'acme/x',
        settings: {},
        install: (host) => host.decorate('acme/m', () => raise(value)),
      })
    },
  },
  authenticate: {
    method: 'tools/list',
    options: (value) => ({ authenticate: () => raise(value) }),
  },
  'async authenticate': {
    method: 'tools/list',
    options: (value) => ({ authenticate: async () => raise(value) }),
  },
  context: {
    method: 'tools/list',
    options: (value) => ({ context: () => raise(value) }),
    define: (s) => s.tool('t', {}, () => 'x'),
  },
  allowedHosts: {
    method: 'tools/list',
    options: (value) => ({ allowedHosts: () => raise(value) }),
  },
  'aroundRequest before': {
    method: 'acme/m',
    server: (value) => ({ aroundRequest: () => raise(value) }),
    define: (s) => s.method('acme/m', {}, () => ({})),
  },
  'aroundRequest after': {
    method: 'acme/m',
    server: (value) => ({
      aroundRequest: async (_info, next) => {
        await next()
        return raise(value)
      },
    }),
    define: (s) => s.method('acme/m', {}, () => ({})),
  },
  'onError itself': {
    method: 'acme/m',
    server: (value) => ({ onError: () => raise(value) }),
    define: (s, value) => s.method('acme/m', {}, () => raise(value)),
  },
  'async onError': {
    method: 'acme/m',
    server: (value) => ({ onError: (): unknown => Promise.resolve(value).then(raise) }),
    define: (s, value) => s.method('acme/m', {}, () => raise(value)),
  },
}

describe.each(Object.entries(places))('thrown by %s', (_name, place) => {
  test.each(thrown)('RPC-26 %s stays here', async (_what, value) => {
    const { server, reported } = quiet(place.server?.(value) ?? {})
    place.define?.(server, value)
    // A predicate is asked only about hosts that are not loopback.
    const headers = {
      host: place.options?.(value).allowedHosts === undefined ? 'localhost' : 'a.example',
    }
    const { handler, clock } = served(server, place.options?.(value) ?? {})
    for (const build of [modern, legacy]) {
      const response = await handler(build(place.method, place.params ?? {}, { id: 7, headers }))
      const text = await response.text()
      expect(text).toContain('Internal error')
      expect(text + JSON.stringify([...response.headers])).not.toContain(SECRET)
      expect(text).not.toMatch(/\.ts|node_modules|at /)
    }
    if (place.server === undefined) expect(reported.length).toBeGreaterThanOrEqual(2)
    expect([handler.stats().inFlight, clock.armed()]).toEqual([0, 0])
  })
})

test.each(thrown)('a notification handler that throws %s is silent', async (_what, value) => {
  const { server, reported } = quiet()
  server.notification('acme/n', {}, () => raise(value))
  const { handler } = served(server)
  for (const build of [modern, legacy]) {
    const response = await handler(build('acme/n', {}, { id: null }))
    expect([response.status, await response.text()]).toEqual([202, ''])
  }
  expect(reported).toHaveLength(2)
})
