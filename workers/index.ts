/**
 * `mcp-edge/workers`: sessions and subscriptions that survive isolates, on Cloudflare Workers.
 *
 * @module
 */
export { workers, workersOptions } from './workers.ts'
export type {
  ExecutionContext,
  McpWorker,
  WorkersOptions,
  WorkersParameters,
  WorkersSetup,
} from './workers.ts'
export type { BindingNames } from './handler-options.ts'
export { McpSession } from './mcp-session.ts'
export { McpHub } from './mcp-hub.ts'
export { durableObjectSessions } from './durable-object-sessions.ts'
export type { DurableObjectSessionsOptions } from './durable-object-sessions.ts'
export { durableObjectEvents } from './durable-object-events.ts'
export type { DurableObjectEventsOptions } from './durable-object-events.ts'
export { durableObjectBus } from './durable-object-bus.ts'
export type { DurableObjectBus, DurableObjectBusOptions } from './durable-object-bus.ts'
export { kvSessions } from './kv-sessions.ts'
export type { KvSessionsOptions } from './kv-sessions.ts'
export { kvBus } from './kv-bus.ts'
export type { KvBusOptions } from './kv-bus.ts'
export type { KvNamespace, KvPage, ObjectId, ObjectNamespace, ObjectStub } from './types.ts'
