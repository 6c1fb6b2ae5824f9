import { describe, expect, it, vi } from 'vitest'
import * as z from 'zod'
import type { AuthInfo } from '../../../src/protocol/auth-info.ts'
import { RequestStates } from '../../../src/server/input-required/request-states.ts'
import type { HandlerOptions } from '../../../src/http/options.ts'
import { fakeClock } from '../../support/index.ts'
import { quiet } from '../../http/served.ts'
import {
  callTool,
  KEY,
  OTHER_KEY,
  questionsOf,
  sealed,
  send,
  stateOf,
  textOf,
} from '../ask/rounds.ts'
import type { Round } from '../ask/rounds.ts'

const question = { message: 'Sure?', schema: z.object({ yes: z.boolean() }) }
const answers = { k: { action: 'accept', content: { yes: true } } }

function served() {
  const { server, warnings } = quiet()
  const ran = vi.fn()
  const input = z.object({ city: z.string() }).partial()
  for (const name of ['mrtr', 'other']) {
    server.tool(name, { input }, async (_input, ctx) => {
      ran()
      return (await ctx.elicit('k', question)).action
    })
  }
  server.prompt('mrtr', {}, () => {
    ran()
    return []
  })
  return { server, warnings, ran }
}

const REFUSED = { code: -32602, message: 'Invalid or expired requestState' }

describe('a state', () => {
  it('F54 F55 says nothing to whoever carries it', async () => {
    const { server } = served()
    const state = String(stateOf(await callTool(sealed(server), ['mrtr', { city: 'Secretville' }])))
    const bytes = atob(state.slice(3).replaceAll('-', '+').replaceAll('_', '/'))
    for (const word of ['Secretville', 'mrtr', 'callId', 'answers'])
      expect(bytes).not.toContain(word)
  })

  const flipped = (state: string, at: number): string => {
    const index = at < 0 ? state.length + at : at
    const other = state[index] === 'A' ? 'B' : 'A'
    return state.slice(0, index) + other + state.slice(index + 1)
  }

  it.each<[string, (state: string) => string]>([
    ['extended', (state) => `${state}-TAMPERED`],
    ['extended by one', (state) => `${state}x`],
    ['padded', (state) => `${state}=`],
    ['cut', (state) => state.slice(0, -1)],
    ['cut to its first half', (state) => state.slice(0, state.length / 2)],
    ['changed at its end', (state) => flipped(state, -1)],
    ['changed in the middle', (state) => flipped(state, 40)],
    ['changed at its start', (state) => flipped(state, 3)],
    ['without a version', (state) => state.slice(3)],
    ['of another version', (state) => state.replace('v1', 'v2')],
    ['empty', () => ''],
    ['made up', () => 'v1.AAAA'],
    ['oversized', () => `v1.${'A'.repeat(300_000)}`],
    ['not base64url', () => 'v1.§§§'],
  ])('MR-12 HM-15 F59 F60 is refused when %s', async (_what, change) => {
    const { server, ran } = served()
    const handler = sealed(server)
    const state = String(stateOf(await callTool(handler, 'mrtr')))
    ran.mockClear()
    const refused = await callTool(handler, 'mrtr', { state: change(state), answers })
    expect(refused.error).toEqual(REFUSED)
    expect(ran).not.toHaveBeenCalled()
    expect(textOf(await callTool(handler, 'mrtr', { state, answers }))).toBe('accept')
  })

  it('MR-15 HM-15 F56 belongs to its method, target and arguments', async () => {
    const { server, ran } = served()
    const handler = sealed(server)
    const state = stateOf(await callTool(handler, ['mrtr', { city: 'A' }]))
    ran.mockClear()
    const round: Round = { state, answers }
    expect((await callTool(handler, ['mrtr', { city: 'B' }], round)).error).toEqual(REFUSED)
    expect((await callTool(handler, 'mrtr', round)).error).toEqual(REFUSED)
    expect((await callTool(handler, ['other', { city: 'A' }], round)).error).toEqual(REFUSED)
    expect((await send(handler, ['prompts/get', { name: 'mrtr' }], round)).error).toEqual(REFUSED)
    expect(ran).not.toHaveBeenCalled()
    expect(textOf(await callTool(handler, ['mrtr', { city: 'A' }], round))).toBe('accept')
  })

  it('MR-14 HM-15 belongs to its principal, whatever token names it', async () => {
    const { server } = served()
    let auth: AuthInfo | 'anonymous' = {
      subject: 'ada',
      issuer: 'i',
      scopes: ['a'],
      expiresAt: 1e10,
    }
    const handler = sealed(server, { authenticate: () => auth })
    const state = stateOf(await callTool(handler, 'mrtr'))
    const attempt = async (as: AuthInfo | 'anonymous'): Promise<unknown> => {
      auth = as
      const { error, result } = await callTool(handler, 'mrtr', { state, answers })
      return error ?? textOf(result)
    }
    expect(await attempt({ subject: 'eve', issuer: 'i', scopes: ['a'] })).toEqual(REFUSED)
    expect(await attempt({ subject: 'ada', issuer: 'j', scopes: ['a'] })).toEqual(REFUSED)
    expect(await attempt({ subject: 'ada', issuer: 'i', clientId: 'c', scopes: [] })).toEqual(
      REFUSED,
    )
    expect(await attempt('anonymous')).toEqual(REFUSED)
    expect(await attempt({ subject: 'ada', issuer: 'i', scopes: [], expiresAt: 2e10 })).toBe(
      'accept',
    )
  })

  it.each([
    ['default', {}, 600_000],
    ['301 s', { ttlMs: 301_000 }, 301_000],
  ])('MR-13 HM-15 F57 expires: %s', async (_name, more, ttl) => {
    const { server } = served()
    const clock = fakeClock()
    const handler = sealed(server, { clock, requestState: { keys: [KEY], ...more } })
    const state = stateOf(await callTool(handler, 'mrtr'))
    await clock.advance(ttl - 1)
    const renewed = await callTool(handler, 'mrtr', { state, answers: {} })
    expect(Object.keys(questionsOf(renewed))).toEqual(['k'])
    await clock.advance(1)
    expect((await callTool(handler, 'mrtr', { state, answers })).error).toEqual(REFUSED)
    await clock.advance(ttl - 2)
    const round = { state: stateOf(renewed), answers }
    expect(textOf(await callTool(handler, 'mrtr', round))).toBe('accept')
  })

  it('never expires where it was told not to', async () => {
    const { server } = served()
    const clock = fakeClock()
    const handler = sealed(server, { clock, requestState: { keys: [KEY], ttlMs: null } })
    const state = stateOf(await callTool(handler, 'mrtr'))
    await clock.advance(1e12)
    expect(textOf(await callTool(handler, 'mrtr', { state, answers }))).toBe('accept')
  })

  it('does not depend on the order of members, on _meta, or on the answers', async () => {
    const { server } = served()
    const handler = sealed(server)
    const first = await send(handler, ['tools/call', { name: 'mrtr', arguments: { city: 'A' } }])
    const again = { arguments: { city: 'A' }, name: 'mrtr' }
    const round = { state: stateOf(first), answers, id: 99 }
    expect(textOf(await send(handler, ['tools/call', again], round))).toBe('accept')
  })
})

describe('keys', () => {
  const retry = async (
    first: HandlerOptions['requestState'],
    second: HandlerOptions['requestState'],
  ) => {
    const { server } = served()
    const state = stateOf(await callTool(sealed(server, { requestState: first }), 'mrtr'))
    const handler = sealed(server, { requestState: second })
    const { error, result } = await callTool(handler, 'mrtr', { state, answers })
    return error ?? textOf(result)
  }

  it('MR-18 are shared by whoever may answer a retry', async () => {
    expect(await retry({ keys: [KEY] }, { keys: [KEY] })).toBe('accept')
    expect(await retry({ keys: [KEY] }, { keys: [OTHER_KEY] })).toEqual(REFUSED)
  })

  it('rotate: the first seals, each opens', async () => {
    expect(await retry({ keys: [KEY] }, { keys: [OTHER_KEY, KEY] })).toBe('accept')
    expect(await retry({ keys: [OTHER_KEY, KEY] }, { keys: [KEY] })).toEqual(REFUSED)
    expect(await retry({ keys: [OTHER_KEY, KEY] }, { keys: [OTHER_KEY] })).toBe('accept')
  })

  it('F58 are told apart by audience', async () => {
    const keys = [KEY]
    expect(await retry({ keys, audience: 'a' }, { keys, audience: 'a' })).toBe('accept')
    expect(await retry({ keys, audience: 'a' }, { keys, audience: 'b' })).toEqual(REFUSED)
    expect(await retry({ keys, audience: 'a' }, { keys })).toEqual(REFUSED)
  })

  it('may be keys of the platform', async () => {
    const algorithm = { name: 'AES-GCM', length: 256 }
    const key = await crypto.subtle.generateKey(algorithm, false, ['encrypt', 'decrypt'])
    expect(await retry({ keys: [key] }, { keys: [key] })).toBe('accept')
  })

  it('are made where there are none, with one word about it', async () => {
    const { server, warnings } = served()
    const options = { requestState: undefined }
    const handler = sealed(server, options)
    const state = stateOf(await callTool(handler, 'mrtr'))
    expect(textOf(await callTool(handler, 'mrtr', { state, answers }))).toBe('accept')
    expect(warnings).toEqual([expect.stringContaining('requestState.keys is not set')])
    const { error } = await callTool(sealed(server, options), 'mrtr', { state, answers })
    expect(error).toEqual(REFUSED)
  })

  it.each([
    [{ keys: [] }],
    [{ keys: ['a passphrase'] }],
    [{ keys: [KEY.slice(1)] }],
    [{ keys: [`${KEY}AAAA`] }],
    [{ keys: [KEY], ttlMs: 0 }],
    [{ keys: [KEY], ttlMs: 1.5 }],
  ])('%j is refused when the handler is made', (requestState) => {
    expect(() => new RequestStates(requestState)).toThrow(TypeError)
    expect(() => sealed(served().server, { requestState })).toThrow(/requestState\./)
  })
})
