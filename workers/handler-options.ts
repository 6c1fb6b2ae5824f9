/**
 * From what is bound to a Worker to the options of its handler.
 *
 * @module
 */
import type { HandlerOptions } from 'mcp-edge'
import { sealedSessions } from 'mcp-edge/stores'
import type { SessionStore } from 'mcp-edge/stores'
import { howToBind } from './bindings.ts'
import { durableObjectBus } from './durable-object-bus.ts'
import { durableObjectEvents } from './durable-object-events.ts'
import { durableObjectSessions } from './durable-object-sessions.ts'
import { MAX_STREAM_AGE_MS } from './limits.ts'
import type { ObjectNamespace } from './types.ts'

/** Names of bindings and of the secret. */
export interface BindingNames {
  /** The binding to {@link McpSession}. @default 'MCP_SESSIONS' */
  readonly sessions?: string | undefined
  /** The binding to {@link McpHub}. @default 'MCP_HUB' */
  readonly hub?: string | undefined
  /**
   * The secret with one or more keys, the newest first, separated by commas: 32 random bytes each, as
   * base64url.
   *
   * @default 'MCP_STATE_KEYS'
   */
  readonly keys?: string | undefined
}

type Env = Readonly<Record<string, unknown>>
type Options = HandlerOptions & { readonly bindings?: BindingNames | undefined }

/**
 * Completes options with what is bound.
 *
 * @param given the author's options
 * @param env the Worker's environment
 * @throws {TypeError} if a store ends at the bounds of the isolate, or a binding that is named is not there
 */
export function toHandlerOptions(given: Options, env: Env): HandlerOptions {
  const { bindings = {}, ...options } = given
  refuseLocal(options)
  const secret = bindings.keys ?? 'MCP_STATE_KEYS'
  const keys = keysIn(env[secret])
  const hub = namespaceOf(env, bindings.hub, 'McpHub')
  const { bus, requestState } = options
  const bound = hub === undefined ? null : durableObjectBus(hub)
  return {
    ...options,
    ...sessionOptions(options, namespaceOf(env, bindings.sessions, 'McpSession'), keys),
    bus: bus === undefined ? bound : bus,
    allowedHosts: options.allowedHosts ?? 'any',
    requestState: requestState ?? (keys ? { keys } : { missing: missingKeys(secret) }),
    limits: { maxStreamAgeMs: MAX_STREAM_AGE_MS, ...options.limits },
    requestBound: true,
  }
}

function sessionOptions(
  { sessions: given, events, legacy }: HandlerOptions,
  objects: ObjectNamespace | undefined,
  keys: readonly string[] | undefined,
): Pick<HandlerOptions, 'sessions' | 'events' | 'legacy'> {
  const sessions = given ?? pickSessions(objects, keys)
  if (legacy === 'stateful' && sessions === undefined) {
    throw new TypeError(
      `legacy is 'stateful', but there is nowhere to keep sessions. ${howToBind('McpSession')}`,
    )
  }
  const beside = given === undefined && objects !== undefined
  return {
    sessions,
    events: events ?? (beside ? durableObjectEvents(objects) : undefined),
    legacy: legacy ?? (sessions === undefined ? 'stateless' : 'stateful'),
  }
}

function pickSessions(
  objects: ObjectNamespace | undefined,
  keys: readonly string[] | undefined,
): SessionStore | undefined {
  if (objects !== undefined) return durableObjectSessions(objects, { keys })
  return keys === undefined ? undefined : sealedSessions({ keys })
}

/** What one isolate remembers, the next request may not find. */
function refuseLocal({ sessions, bus, events }: Options): void {
  for (const [option, store] of Object.entries({ sessions, bus, events })) {
    if (store?.reach !== 'process') continue
    throw new TypeError(
      `option '${option}': a store in memory ends with its isolate, and the next request may meet another; use one of mcp-edge/workers`,
    )
  }
}

function namespaceOf(
  env: Env,
  name: string | undefined,
  className: 'McpSession' | 'McpHub',
): ObjectNamespace | undefined {
  const usual = className === 'McpSession' ? 'MCP_SESSIONS' : 'MCP_HUB'
  const found = env[name ?? usual]
  if (isNamespace(found)) return found
  if (name === undefined && found === undefined) return undefined
  throw new TypeError(`'${name ?? usual}' is not bound. ${howToBind(className, name)}`)
}

function isNamespace(value: unknown): value is ObjectNamespace {
  return typeof value === 'object' && value !== null && 'idFromName' in value
}

function keysIn(secret: unknown): readonly string[] | undefined {
  if (typeof secret !== 'string' || secret.trim() === '') return undefined
  return secret.split(',').map((key) => key.trim())
}

function missingKeys(secret: string): string {
  return (
    'requestState.keys is not set, and on Workers no key can be made up, because the next request may meet another isolate: ' +
    `run 'wrangler secret put ${secret}' with 32 random bytes as base64url, such as openssl rand -base64 32 | tr '+/' '-_' | tr -d '='`
  )
}
