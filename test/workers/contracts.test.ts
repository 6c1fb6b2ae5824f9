import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Rig } from './rig.ts'

const SUITES = [
  'sealedSessions',
  'durableObjectSessions',
  'durableObjectSessions, full',
  'kvSessions',
  'kvSessions, lagging',
  'durableObjectEvents',
  'durableObjectBus',
  'kvBus',
]

describe.each(['new', 'old'] as const)('the contracts inside workerd, the %s one', (runtime) => {
  let rig: Rig
  beforeAll(async () => {
    rig = await Rig.start(runtime, { kv: true })
  })
  afterAll(() => rig.stop())

  test.each(SUITES)('%s', async (suite) => {
    const { value } = await rig.worker.control(`contract?name=${encodeURIComponent(suite)}`)
    const outcomes = Array.isArray(value) ? value : []
    expect(outcomes.length).toBeGreaterThan(4)
    expect(outcomes.filter(({ error }) => error !== undefined)).toEqual([])
  })
})
