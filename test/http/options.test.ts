import { describe, expect, test } from 'vitest'
import type { HandlerLimits, HandlerOptions } from '../../src/http/options.ts'
import { toSettings } from '../../src/http/options.ts'

/** Every limit, as a user would write it, and where it ends up. */
const LIMITS: readonly (readonly [string, (value: never) => HandlerOptions])[] = [
  ['streamAfterMs', (value) => ({ streamAfterMs: value })],
  ['keepaliveMs', (value) => ({ keepaliveMs: value })],
  ...(
    [
      'requestBytes',
      'jsonDepth',
      'streamBytes',
      'listenStreams',
      'listenUris',
      'listenPerPrincipal',
      'maxStreamAgeMs',
    ] as const
  ).map((name): readonly [string, (value: never) => HandlerOptions] => [
    `limits.${name}`,
    (value) => ({ limits: { [name]: value } satisfies HandlerLimits }),
  ]),
]

describe('limits', () => {
  test.each(LIMITS)('%s takes positive integers and null, nothing else', (name, option) => {
    for (const value of [1, 5, 9_007_199_254_740_991, null, undefined])
      toSettings(option(value as never))
    for (const value of [
      0,
      -1,
      1.5,
      Number.NaN,
      Infinity,
      -Infinity,
      '5',
      true,
      [],
      {},
      1n,
      2 ** 60,
    ]) {
      expect(() => toSettings(option(value as never))).toThrow(TypeError)
      expect(() => toSettings(option(value as never))).toThrow(name)
    }
  })

  test('null means none, and nothing means the default', () => {
    const none = toSettings({
      streamAfterMs: null,
      keepaliveMs: null,
      limits: { requestBytes: null },
    })
    expect([none.streamAfterMs, none.keepaliveMs, none.requestBytes]).toEqual([
      Infinity,
      Infinity,
      Infinity,
    ])
    const preset = toSettings({})
    expect([preset.streamAfterMs, preset.keepaliveMs]).toEqual([5_000, 15_000])
    expect([preset.requestBytes, preset.jsonDepth, preset.streamBytes]).toEqual([
      4_194_304, 64, 1_048_576,
    ])
  })
})

test('words are one of a few', () => {
  for (const legacy of ['stateless', 'off'] as const)
    expect(toSettings({ legacy }).legacy).toBe(legacy)
  expect(() => toSettings({ legacy: 'on' as never })).toThrow(/'legacy' must be one of/)
  expect(() => toSettings({ responses: '' as never })).toThrow(/'responses' must be one of/)
})
