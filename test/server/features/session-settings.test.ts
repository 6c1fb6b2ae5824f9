import { describe, expect, test } from 'vitest'
import { MAX_URI_CHARS } from '../../../src/protocol/limits.ts'
import { LOGGING_LEVELS } from '../../../src/protocol/logging.ts'
import type { Call } from '../../../src/server/call.ts'
import { sessionSettings } from '../../../src/server/features/session-settings.ts'
import { RequestStates } from '../../../src/server/input-required/request-states.ts'
import { createNotifier } from '../../../src/server/notifier.ts'
import type { SessionPatch } from '../../../src/stores/session-store.ts'
import { quiet } from '../../http/served.ts'

/** Runs a method of a session, and says how the session was changed. */
async function run(
  method: string,
  params: Call['params'],
  { subscribe = true, ...more }: Partial<Call> & { readonly subscribe?: boolean } = {},
) {
  const patches: SessionPatch[] = []
  const { methods } = sessionSettings(() => ({ resources: { subscribe } }))
  const call: Call = {
    id: 1,
    method,
    params,
    caller: quiet().server.core.legacy.identify(
      { revision: '2025-11-25', capabilities: {} },
      undefined,
    ),
    outbox: { signal: new AbortController().signal, notify: () => undefined },
    notifier: createNotifier(async () => undefined),
    states: new RequestStates(),
    delivery: { changes: true, logging: true },
    session: { update: async (patch) => void patches.push(patch) },
    ...more,
  }
  const result = await methods[method]?.handle(call)
  return { patches, result }
}

describe('logging/setLevel', () => {
  test.each(LOGGING_LEVELS)(
    'LC-13 sets %s for the session, and answers with nothing',
    async (level) => {
      const { patches, result } = await run('logging/setLevel', { level })
      expect([patches, result]).toEqual([[{ logLevel: level }], {}])
    },
  )

  test.each(['INFO', '', null, 3, undefined])('LC-14 %j is refused by name', async (level) => {
    await expect(run('logging/setLevel', { level })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining("'level' must be one of debug, info"),
    })
  })
})

describe('subscriptions', () => {
  const longest = 'x://'.padEnd(MAX_URI_CHARS, 'x')

  test.each([
    ['resources/subscribe', 'subscribe'],
    ['resources/unsubscribe', 'unsubscribe'],
  ])('LC-16 %s changes the session', async (method, member) => {
    const { patches, result } = await run(method, { uri: longest })
    expect([patches, result]).toEqual([[{ [member]: longest }], {}])
  })

  test.each([`${longest}x`, 7, null, undefined])(
    'a URI that is none or too long is refused: %.20s',
    async (uri) => {
      await expect(run('resources/subscribe', { uri })).rejects.toMatchObject({
        code: -32602,
        message: `'uri' must be a string of at most ${MAX_URI_CHARS} characters`,
      })
    },
  )

  test('a server that declares none has no such method, whatever the URI', async () => {
    await expect(
      run('resources/subscribe', { uri: 7 }, { subscribe: false }),
    ).rejects.toMatchObject({
      code: -32601,
    })
  })
})

test.each([
  ['logging/setLevel', { level: 'info' }],
  ['resources/subscribe', { uri: 'x://y' }],
  ['resources/unsubscribe', { uri: 'x://y' }],
])('without a session there is no %s', async (method, params) => {
  await expect(run(method, params, { session: undefined })).rejects.toMatchObject({ code: -32601 })
})

test('all of them belong to the legacy era, and to a capability others declare', () => {
  const feature = sessionSettings(() => ({}))
  const rows = Object.entries(feature.methods).map(([name, { era, capability }]) => [
    name,
    era,
    capability,
  ])
  expect(rows).toEqual([
    ['logging/setLevel', 'legacy', 'logging'],
    ['resources/subscribe', 'legacy', 'resources'],
    ['resources/unsubscribe', 'legacy', 'resources'],
  ])
  expect('capabilities' in feature).toBe(false)
})
