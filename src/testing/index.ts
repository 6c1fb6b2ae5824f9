/**
 * Contracts of the pluggable parts, for whoever writes one: lists of cases that any test runner can
 * run; and a check for handlers that ask. The `mcp-edge/testing` entry.
 *
 * @example
 * ```ts
 * import { memorySessions } from 'mcp-edge/stores'
 * import { sessionStoreContract } from 'mcp-edge/testing'
 *
 * for (const { name, run } of sessionStoreContract({ create: memorySessions })) test(name, run)
 * ```
 *
 * @module
 */
export type { ContractCase } from './contract.ts'
export { sessionStoreContract } from './session-store-contract.ts'
export type { SessionStoreBounds, SessionStoreSubject } from './session-store-contract.ts'
export { eventStoreContract } from './event-store-contract.ts'
export type { EventStoreBounds, EventStoreSubject } from './event-store-contract.ts'
export { busContract } from './bus-contract.ts'
export type { BusSubject } from './bus-contract.ts'
export { replayCheck } from './replay-check.ts'
export type { ReplayCheckOptions, ReplayReport, ReplayTarget } from './replay-check.ts'
export type { ReplayWorld } from './replay-run.ts'
