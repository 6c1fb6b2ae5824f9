/**
 * Where state lives: the interfaces of stores, their contracts, and the ones in memory. The
 * `mcp-edge/stores` entry.
 *
 * @module
 */
export type {
  SessionAsker,
  SessionInit,
  SessionMail,
  SessionPatch,
  SessionRecord,
  SessionStore,
  SessionTraits,
} from './session-store.ts'
export { patched } from './session-store.ts'
export { newRecord, readRecord } from './kept-record.ts'
export type { KeptRecord } from './kept-record.ts'
export type { EventStore, Replay, StreamEvent } from './event-store.ts'
export type { Bus, BusEvent } from './bus.ts'
export {
  ELICITATIONS_TOPIC,
  LOG_TOPIC,
  PROMPTS_TOPIC,
  RESOURCES_TOPIC,
  TOOLS_TOPIC,
  resourceTopic,
  sessionTopic,
} from './bus.ts'
export { memorySessions } from './memory-sessions.ts'
export type { MemorySessionsOptions } from './memory-sessions.ts'
export { memoryEvents } from './memory-events.ts'
export type { MemoryEventsOptions } from './memory-events.ts'
export { memoryBus } from './memory-bus.ts'
export { sealedSessions } from './sealed-sessions.ts'
export type { SealedSessionsOptions } from './sealed-sessions.ts'
export { SessionIds } from './session-ids.ts'
export type { SessionIdsOptions, VerifiedId } from './session-ids.ts'
export { SealedBox } from '../shared/sealed-box.ts'
export type { SealingKey } from '../shared/sealed-box.ts'
