/**
 * The contract of buses, as cases for any test runner.
 *
 * @module
 */
import type { Awaitable } from '../shared/fetch.ts'
import type { Bus, BusEvent } from '../stores/bus.ts'
import { eventually, expectSame } from './contract.ts'
import type { ContractCase } from './contract.ts'

/** How to get at the bus under test. */
export interface BusSubject {
  /** Makes a bus; called anew by each case. */
  readonly create: () => Awaitable<Bus>
}

/**
 * The contract of buses. Run every case; each makes a bus of its own.
 *
 * @param subject how to get at the bus under test
 */
export function busContract(subject: BusSubject): readonly ContractCase[] {
  return [...deliveryCases(subject), ...lifetimeCases(subject)]
}

async function inbox(bus: Bus, topics: readonly string[], signal: AbortSignal): Promise<unknown[]> {
  const heard: unknown[] = []
  await bus.subscribe(topics, ({ data }) => heard.push(data), signal)
  return heard
}

function deliveryCases({ create }: BusSubject): readonly ContractCase[] {
  return [
    {
      name: 'an event reaches every subscriber of its topic once, and nobody else',
      async run() {
        const bus = await create()
        const stop = new AbortController()
        const both = await inbox(bus, ['tools', 'resource/a://1'], stop.signal)
        const one = await inbox(bus, ['tools'], stop.signal)
        const other = await inbox(bus, ['resource/a://2', '__proto__'], stop.signal)
        await bus.publish({ topic: 'tools', data: 1 })
        await bus.publish({ topic: 'resource/a://1', data: { text: 'two' } })
        await bus.publish({ topic: 'constructor', data: 3 })
        await eventually(() => both.length >= 2 && one.length >= 1, 'the events arrive')
        expectSame([both, one, other], [[1, { text: 'two' }], [1], []], 'what was heard')
        stop.abort()
      },
    },
    {
      name: 'the events of one publisher arrive in order',
      async run() {
        const bus = await create()
        const stop = new AbortController()
        const heard = await inbox(bus, ['t'], stop.signal)
        const numbers = Array.from({ length: 50 }, (_, index) => index)
        for (const data of numbers) await bus.publish({ topic: 't', data })
        await eventually(() => heard.length === numbers.length, 'the events arrive')
        expectSame(heard, numbers, 'what was heard')
        stop.abort()
      },
    },
    {
      name: 'a subscriber that throws does not keep an event from the others',
      async run() {
        const bus = await create()
        const stop = new AbortController()
        await bus.subscribe(['t'], refuse, stop.signal)
        const heard = await inbox(bus, ['t'], stop.signal)
        await bus.publish({ topic: 't', data: 1 }).catch(() => 'reported to the publisher')
        await eventually(() => heard.length === 1, 'the event arrives')
        stop.abort()
      },
    },
  ]
}

function refuse(event: BusEvent): never {
  throw new Error(`not interested in ${event.topic}`)
}

function lifetimeCases({ create }: BusSubject): readonly ContractCase[] {
  return [
    {
      name: 'nothing is delivered after the end of a subscription, also one that ended before it began',
      async run() {
        const bus = await create()
        const stop = new AbortController()
        const stays = new AbortController()
        const ended = await inbox(bus, ['t'], stop.signal)
        const other = await inbox(bus, ['t'], stays.signal)
        stop.abort()
        const late = await inbox(bus, ['t'], stop.signal)
        await bus.publish({ topic: 't', data: 1 })
        await eventually(() => other.length === 1, 'the event arrives')
        expectSame([ended, late], [[], []], 'what was heard')
        stays.abort()
      },
    },
    {
      name: 'publishing without subscribers is fine',
      async run() {
        const bus = await create()
        await bus.publish({ topic: 'nobody', data: null })
      },
    },
  ]
}
