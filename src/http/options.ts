/**
 * What a handler is made with, and its checked form.
 *
 * @module
 */
import type { Authenticate, AuthInfo } from '../protocol/auth-info.ts'
import {
  KEEPALIVE_MS,
  MAX_JSON_DEPTH,
  MAX_LISTEN_STREAMS,
  MAX_LISTEN_URIS,
  MAX_REQUEST_BYTES,
  MAX_STREAM_BYTES,
  SERVER_REQUEST_TIMEOUT_MS,
  STREAM_AFTER_MS,
} from '../protocol/limits.ts'
import type { MissingKeys, RequestStateOptions } from '../server/input-required/request-states.ts'
import type { DataOf, EnvOf, ServerTypes } from '../server/context.ts'
import { systemClock } from '../shared/clock.ts'
import type { Clock } from '../shared/clock.ts'
import { limitOf } from '../shared/limits-options.ts'
import type { Bus } from '../stores/bus.ts'
import type { EventStore } from '../stores/event-store.ts'
import { memoryBus } from '../stores/memory-bus.ts'
import { memorySessions } from '../stores/memory-sessions.ts'
import type { SessionStore } from '../stores/session-store.ts'
import type { AllowedHosts, HostCheck } from './guards/host.ts'
import { createHostCheck } from './guards/host.ts'
import { createOriginCheck } from './guards/origin.ts'
import type { OriginCheck } from './guards/origin.ts'
import type { OwnsSession } from './owns-session.ts'
import type { Encoder } from './sse-stream.ts'
import type { OnSubscribe, OnUnsubscribe } from './watched.ts'

/** Bounds on what one peer can make a handler hold. Null means none. */
export interface HandlerLimits {
  /** Bytes of a request body; more is answered with 413. @default 4 MiB */
  readonly requestBytes?: number | null | undefined
  /** Nesting of a JSON body; more is answered with 400. @default 64 */
  readonly jsonDepth?: number | null | undefined
  /** Bytes that may wait in one event stream. @default 1 MiB */
  readonly streamBytes?: number | null | undefined
  /** Open `subscriptions/listen` streams; one more is answered with 503. @default 1000 */
  readonly listenStreams?: number | null | undefined
  /** Resource URIs in one listen filter; more is answered with 400. @default 1000 */
  readonly listenUris?: number | null | undefined
  /** Listen streams of one authenticated principal; one more is answered with 503. @default null */
  readonly listenPerPrincipal?: number | null | undefined
  /**
   * Milliseconds after which a stream that was opened to listen ends, so that its client opens
   * another, for instance before the platform cuts it off. Up to a tenth is taken off by chance.
   *
   * @default null
   */
  readonly maxStreamAgeMs?: number | null | undefined
}

/** What the `context` option gets to make `ctx.data` of. */
export interface ContextSource<T extends ServerTypes> {
  readonly env: EnvOf<T>
  /** Who is authenticated; absent for anonymous callers. */
  readonly auth: AuthInfo | undefined
}

/** What a handler is made with. Everything has a default. */
export interface HandlerOptions<T extends ServerTypes = ServerTypes> {
  /**
   * How the handshake generation is served: with sessions, which questions, subscriptions and log
   * levels need; every request on its own; or not at all.
   *
   * @default 'stateful'
   */
  readonly legacy?: 'stateful' | 'stateless' | 'off' | undefined
  /** Whether self-contained requests (2026-07-28) are served. @default true */
  readonly modern?: boolean | undefined
  /**
   * The form of answers: `auto` sends JSON until something has to be said before the answer, then
   * an event stream; `json` and `sse` pin one form.
   *
   * @default 'auto'
   */
  readonly responses?: 'auto' | 'json' | 'sse' | undefined
  /**
   * Milliseconds after which a pending answer becomes a stream in `auto`, so that keepalives reach
   * the client; null for never.
   *
   * @default 5000
   */
  readonly streamAfterMs?: number | null | undefined
  /** Milliseconds between keepalive comments in streams; null for none. @default 15000 */
  readonly keepaliveMs?: number | null | undefined
  /**
   * Hosts that are served besides the loopback names: names, `name:port`, a predicate, or `'any'`
   * where the platform routes only your own. This stops DNS rebinding.
   *
   * @default loopback names only
   */
  readonly allowedHosts?: AllowedHosts | undefined
  /**
   * Origins whose pages may use the server, besides its own.
   *
   * @default none
   */
  readonly allowedOrigins?: readonly string[] | undefined
  /** Whether allowed origins get CORS headers and answers to preflights. @default true */
  readonly cors?: boolean | undefined
  /** Checks who calls. @default everyone is anonymous */
  readonly authenticate?: Authenticate | undefined
  /** Makes `ctx.data` of a request. Required where the server declares `data`. */
  readonly context?:
    | ((request: Request, source: ContextSource<T>) => DataOf<T> | Promise<DataOf<T>>)
    | undefined
  /**
   * Carries changes to open streams: in this process, or between all that share it. Null: none are
   * carried, listening is refused and not advertised.
   *
   * @default a memoryBus() of this handler's own
   */
  readonly bus?: Bus | null | undefined
  /** Keeps sessions. @default a memorySessions() of this handler's own */
  readonly sessions?: SessionStore | undefined
  /**
   * Keeps what goes out on the streams of sessions, so that clients can resume them.
   *
   * @default none: streams cannot be resumed
   */
  readonly events?: EventStore | undefined
  /**
   * What happens when a session opens a second GET stream: the new one takes over, or it is refused
   * with 409 while this handler holds the first.
   *
   * @default 'takeover', because a client that reconnects has lost a stream we may not know to be dead
   */
  readonly getStream?: 'takeover' | 'refuse' | undefined
  /**
   * Asked before a request enters a session, on every POST, GET and DELETE, never at `initialize`;
   * false is answered with 403. Comes on top of the principal, which is always compared.
   *
   * @default everyone who passed `authenticate` as the session's principal
   */
  readonly ownsSession?: OwnsSession | undefined
  /** Milliseconds a question to the client waits for its answer; null for ever. @default 600000 */
  readonly serverRequestTimeoutMs?: number | null | undefined
  /** Hears that a resource is watched; `first`: nobody watched it here before. */
  readonly onSubscribe?: OnSubscribe | undefined
  /** Hears that a resource is watched no longer; `last`: nobody watches it here any more. */
  readonly onUnsubscribe?: OnUnsubscribe | undefined
  readonly limits?: HandlerLimits | undefined
  /**
   * Protects what calls remember between their rounds. Every process that may answer a retry needs
   * the same keys. `'plain'` leaves protection to whoever writes the state of `inputRequired`;
   * `{ missing }` is for platforms where a random key would be of no use: what needs one fails.
   *
   * @default a random key of this process, and a warning when it is first used
   */
  readonly requestState?: RequestStateOptions | 'plain' | MissingKeys | undefined
  /**
   * Nothing passes from one request to another inside this process, only through the stores and the
   * bus: for platforms that tie whatever a request opens to that request, as Workers do.
   *
   * @default false
   */
  readonly requestBound?: boolean | undefined
  /** The time, for tests. @default the platform's */
  readonly clock?: Clock | undefined
  /** Makes unguessable ids, for tests. @default crypto.randomUUID */
  readonly randomUUID?: (() => string) | undefined
}

/** Options, checked and complete; Infinity stands for no limit. */
export interface Settings {
  readonly legacy: 'stateful' | 'stateless' | 'off'
  readonly modern: boolean
  readonly responses: 'auto' | 'json' | 'sse'
  readonly streamAfterMs: number
  readonly keepaliveMs: number
  readonly hostAllowed: HostCheck
  readonly originAllowed: OriginCheck
  readonly cors: boolean
  readonly authenticate: Authenticate | undefined
  readonly context: HandlerOptions['context']
  readonly requestBytes: number
  readonly jsonDepth: number
  readonly streamBytes: number
  readonly listenStreams: number
  readonly listenUris: number
  readonly listenPerPrincipal: number
  readonly maxStreamAgeMs: number
  readonly bus: Bus | undefined
  /** Undefined where there are no sessions. */
  readonly sessions: SessionStore | undefined
  readonly events: EventStore | undefined
  readonly getStream: 'takeover' | 'refuse'
  readonly ownsSession: OwnsSession | undefined
  readonly serverRequestTimeoutMs: number
  readonly onSubscribe: OnSubscribe | undefined
  readonly onUnsubscribe: OnUnsubscribe | undefined
  readonly requestBound: boolean
  readonly clock: Clock
  readonly encoder: Encoder
  readonly randomUUID: () => string
}

/**
 * Checks options and completes them.
 *
 * @throws {TypeError} if one cannot be used; the message names it
 */
export function toSettings(options: HandlerOptions): Settings {
  const { limits = {} } = options
  return {
    legacy: oneOf('legacy', options.legacy ?? 'stateful', ['stateful', 'stateless', 'off']),
    modern: options.modern ?? true,
    responses: oneOf('responses', options.responses ?? 'auto', ['auto', 'json', 'sse']),
    streamAfterMs: limitOf('streamAfterMs', options.streamAfterMs, STREAM_AFTER_MS),
    keepaliveMs: limitOf('keepaliveMs', options.keepaliveMs, KEEPALIVE_MS),
    hostAllowed: createHostCheck(options.allowedHosts ?? []),
    originAllowed: createOriginCheck(options.allowedOrigins ?? []),
    cors: options.cors ?? true,
    authenticate: options.authenticate,
    context: options.context,
    requestBytes: limitOf('limits.requestBytes', limits.requestBytes, MAX_REQUEST_BYTES),
    jsonDepth: limitOf('limits.jsonDepth', limits.jsonDepth, MAX_JSON_DEPTH),
    streamBytes: limitOf('limits.streamBytes', limits.streamBytes, MAX_STREAM_BYTES),
    listenStreams: limitOf('limits.listenStreams', limits.listenStreams, MAX_LISTEN_STREAMS),
    listenUris: limitOf('limits.listenUris', limits.listenUris, MAX_LISTEN_URIS),
    listenPerPrincipal: limitOf('limits.listenPerPrincipal', limits.listenPerPrincipal, Infinity),
    maxStreamAgeMs: limitOf('limits.maxStreamAgeMs', limits.maxStreamAgeMs, Infinity),
    bus: toBus(options.bus),
    ...sessionSettings(options),
    onSubscribe: options.onSubscribe,
    onUnsubscribe: options.onUnsubscribe,
    requestBound: options.requestBound ?? false,
    clock: options.clock ?? systemClock,
    encoder: new TextEncoder(),
    randomUUID: options.randomUUID ?? (() => crypto.randomUUID()),
  }
}

function sessionSettings(
  options: HandlerOptions,
): Pick<Settings, 'sessions' | 'events' | 'getStream' | 'ownsSession' | 'serverRequestTimeoutMs'> {
  const { clock, randomUUID, legacy = 'stateful', getStream = 'takeover' } = options
  const sessions = options.sessions ?? memorySessions({ clock, randomUUID })
  return {
    sessions: legacy === 'stateful' ? sessions : undefined,
    events: options.events,
    getStream: oneOf('getStream', getStream, ['takeover', 'refuse']),
    ownsSession: options.ownsSession,
    serverRequestTimeoutMs: limitOf(
      'serverRequestTimeoutMs',
      options.serverRequestTimeoutMs,
      SERVER_REQUEST_TIMEOUT_MS,
    ),
  }
}

function toBus(bus: Bus | null | undefined): Bus | undefined {
  if (bus === null) return undefined
  if (bus === undefined) return memoryBus()
  if (typeof bus.publish === 'function' && typeof bus.subscribe === 'function') return bus
  throw new TypeError("option 'bus' must have the methods publish and subscribe, or be null")
}

function oneOf<Word extends string>(name: string, value: Word, words: readonly Word[]): Word {
  if (words.includes(value)) return value
  throw new TypeError(`option '${name}' must be one of ${words.join(', ')}`)
}
