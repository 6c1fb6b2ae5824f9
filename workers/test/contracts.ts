/**
 * The contract suites of every store, run inside workerd.
 *
 * @module
 */
import { sealedSessions } from 'mcp-edge/stores'
import { busContract, eventStoreContract, sessionStoreContract } from 'mcp-edge/testing'
import type { ContractCase } from 'mcp-edge/testing'
import {
  durableObjectBus,
  durableObjectEvents,
  durableObjectSessions,
  kvBus,
  kvSessions,
} from 'mcp-edge/workers'
import type { KvNamespace, ObjectNamespace } from 'mcp-edge/workers'
import { kvWithDelay, prefixed, prefixedKv } from './platform.ts'
import type { Env } from './platform.ts'

/** How a case went. */
export interface Outcome {
  readonly name: string
  readonly error?: string | undefined
}

interface TestClock {
  readonly now: () => number
  readonly advance: (ms: number) => void
}

const KEYS = ['A'.repeat(43)]
const KV_LAG_MS = 60_000

/**
 * Runs a suite.
 *
 * @param suite which
 * @param env what the Worker is bound to
 * @param clock the time of stores and objects
 */
export async function outcomesOf(
  suite: string,
  env: Env,
  clock: TestClock,
): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = []
  for (const { name, run } of casesOf(suite, env, clock)) {
    const error = await run().then(
      () => undefined,
      (failure: unknown) => String(failure),
    )
    outcomes.push({ name, error })
  }
  return outcomes
}

function casesOf(suite: string, env: Env, clock: TestClock): readonly ContractCase[] {
  const { advance } = clock
  switch (suite) {
    case 'sealedSessions':
      return sessionStoreContract({
        create: ({ idleTimeoutMs }) =>
          sealedSessions({ keys: KEYS, maxAgeMs: idleTimeoutMs, clock }),
        advance,
        bounded: false,
      })
    case 'durableObjectSessions':
      return sessionStoreContract({
        create: ({ idleTimeoutMs }) =>
          durableObjectSessions(objects(env.MCP_SESSIONS), { keys: KEYS, idleTimeoutMs, clock }),
        advance,
        bounded: false,
      })
    case 'durableObjectSessions, full':
      return sessionStoreContract({
        create: ({ idleTimeoutMs, max }) =>
          durableObjectSessions(objects(env.MCP_SESSIONS), {
            idleTimeoutMs,
            maxPerPrincipal: max,
            clock,
          }),
        advance,
      })
    case 'kvSessions':
      return kvCases(kv(env), clock)
    case 'kvSessions, lagging':
      return kvCases(kvWithDelay(clock.now, KV_LAG_MS), clock)
    case 'durableObjectEvents':
      return eventStoreContract({
        create: (bounds) => durableObjectEvents(objects(env.MCP_SESSIONS), bounds),
        advance,
      })
    case 'durableObjectBus':
      return busContract({ create: () => durableObjectBus(objects(env.MCP_HUB)) })
    case 'kvBus':
      return busContract({ create: () => kvBus(kv(env), { pollMs: 20 }) })
    default:
      throw new TypeError(`there is no suite '${suite}'`)
  }
}

function kvCases(namespace: KvNamespace, clock: TestClock): readonly ContractCase[] {
  return sessionStoreContract({
    create: ({ idleTimeoutMs }) =>
      kvSessions(prefixedKv(namespace, crypto.randomUUID()), {
        keys: KEYS,
        maxAgeMs: idleTimeoutMs,
        clock,
      }),
    advance: clock.advance,
    bounded: false,
  })
}

function objects(namespace: ObjectNamespace | undefined): ObjectNamespace {
  if (namespace === undefined) throw new TypeError('the objects are not bound')
  return prefixed(namespace, crypto.randomUUID())
}

function kv({ MCP_KV }: Env): KvNamespace {
  if (MCP_KV === undefined) throw new TypeError('KV is not bound')
  return prefixedKv(MCP_KV, crypto.randomUUID())
}
