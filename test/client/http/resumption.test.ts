import { describe, expect, it } from 'vitest'
import { Resumption } from '../../../src/client/http/resumption.ts'
import { fakeClock } from '../../support/clock.ts'

const { signal } = new AbortController()

describe('Resumption', () => {
  it('remembers the last id that a header can carry', () => {
    const resumption = new Resumption(fakeClock())
    for (const id of ['a', 'b\r\nX: y', '漢']) resumption.event(id)
    expect(resumption.lastId).toBe('a')
    resumption.event('')
    expect(resumption.lastId).toBeUndefined()
  })

  it('CL-17 has two attempts, and a budget for all its waiting', async () => {
    const clock = fakeClock()
    const resumption = new Resumption(clock)
    const waited = async (): Promise<string | undefined> => {
      const waiting = resumption.wait(signal)
      await clock.advance(200_000)
      return waiting
    }
    expect(await waited()).toBeUndefined()
    expect(await waited()).toBeUndefined()
    expect(await waited()).toContain('2 attempts')
    resumption.event('a')
    resumption.retry(200_000)
    expect(await waited()).toBeUndefined()
    expect(await waited()).toContain('are left')
    resumption.renew()
    expect(await waited()).toBeUndefined()
    expect(clock.armed()).toBe(0)
  })
})
