import { describe, expect, test } from 'vitest'
import { Listeners } from '../../src/http/listeners.ts'
import { toSettings } from '../../src/http/options.ts'
import type { Bus } from '../../src/stores/bus.ts'
import { memoryBus } from '../../src/stores/memory-bus.ts'
import { toBusEvent } from '../../src/server/subscriptions.ts'
import { fakeClock } from '../support/index.ts'

function listeners(limits: Readonly<Record<string, number | null>> = {}) {
  const errors: unknown[] = []
  const open = new Listeners(toSettings({ limits }), (error) => void errors.push(error))
  return { open, errors }
}

function stream(principal: string | undefined) {
  let completed = 0
  const complete = (): void => {
    completed += 1
  }
  let ticks = 0
  const tick = (): void => {
    ticks += 1
  }
  return { principal, complete, tick, completed: () => completed, ticks: () => ticks }
}

test('slots are counted in all and by principal, and freed once', () => {
  const { open } = listeners({ listenStreams: 3, listenPerPrincipal: 1 })
  const [ada, nobody, again] = [stream('ada'), stream(undefined), stream(undefined)]
  open.add(ada)
  expect([open.admits('ada'), open.admits('bob'), open.admits(undefined)]).toEqual([
    false,
    true,
    true,
  ])
  open.add(nobody)
  open.add(again)
  expect([open.size, open.admits(undefined)]).toEqual([3, false])
  open.delete(ada)
  open.delete(ada)
  expect([open.size, open.admits('ada')]).toEqual([2, true])
  open.complete()
  expect([ada.completed(), nobody.completed(), again.completed()]).toEqual([0, 1, 1])
})

test('a frame is cut once for all streams that ask for the same event', () => {
  const { open, errors } = listeners()
  const { data } = toBusEvent({ kind: 'tools' })
  const frame = open.frameOf(data)
  expect(open.frameOf(data)).toBe(frame)
  expect(`${frame?.head}7${frame?.tail}`).toBe(
    'event: message\ndata: {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":7}}}\n\n',
  )
  expect([open.frameOf('nonsense'), open.frameOf('nonsense')]).toEqual([undefined, undefined])
  expect(errors).toHaveLength(1)
})

describe('keepalives', () => {
  function timed(bus: Bus | null) {
    const clock = fakeClock()
    return { clock, open: new Listeners(toSettings({ bus, clock, keepaliveMs: 1_000 }), undefined) }
  }

  test('one timer keeps all alive, as long as there are any', async () => {
    const { open, clock } = timed(memoryBus())
    const all = Array.from({ length: 5 }, () => stream(undefined))
    for (const one of all) open.add(one)
    expect([clock.armed(), open.streamsOf(false).keepaliveMs]).toEqual([1, Infinity])
    await clock.advance(2_500)
    expect(all.map(({ ticks }) => ticks())).toEqual([2, 2, 2, 2, 2])
    for (const one of all) open.delete(one)
    expect(clock.armed()).toBe(0)
    open.add(stream(undefined))
    expect(clock.armed()).toBe(1)
  })

  test('one that leaves in a tick, and one that comes in it, arm no second timer', async () => {
    const { open, clock } = timed(memoryBus())
    const next = stream(undefined)
    const leaving = {
      ...stream(undefined),
      tick: () => {
        open.delete(leaving)
        open.add(next)
      },
    }
    open.add(leaving)
    await clock.advance(1_000)
    expect([clock.armed(), open.size]).toEqual([1, 1])
    open.delete(next)
    expect(clock.armed()).toBe(0)
  })

  test('each has its own timer where a request has an execution context, as on Workers', () => {
    const { open, clock } = timed(memoryBus())
    open.add(stream(undefined), true)
    expect([clock.armed(), open.streamsOf(true).keepaliveMs]).toEqual([0, 1_000])
  })

  test('each has its own timer where news comes from beyond the process', () => {
    const { open, clock } = timed({ publish: async () => {}, subscribe: () => undefined })
    open.add(stream(undefined))
    expect([clock.armed(), open.streamsOf(false).keepaliveMs]).toEqual([0, 1_000])
  })
})
