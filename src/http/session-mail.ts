/**
 * Mail to whoever holds something alive for a session, in this process or another: the one place
 * that knows how it travels. Everything else knows only "send to a session" and "receive for one".
 *
 * @module
 */
import { isRecord, isRequestId, isResponse } from '../protocol/jsonrpc.ts'
import type { JSONRPCResponse, RequestId } from '../protocol/jsonrpc.ts'
import { isLoggingLevel } from '../protocol/logging.ts'
import type { Bus } from '../stores/bus.ts'
import { sessionTopic } from '../stores/bus.ts'
import type { SessionMail, SessionPatch, SessionStore } from '../stores/session-store.ts'

/** What is told to the holders of something alive. Receiving one twice does no harm. */
export type SessionMessage =
  /** The client answered a question. */
  | { readonly kind: 'answer'; readonly response: JSONRPCResponse }
  /** The client cancelled every call with this id. */
  | {
      readonly kind: 'cancel'
      readonly requestId: RequestId
      readonly reason?: string | undefined
    }
  /** A new connection carries a stream since a time; whoever carried it until then stops. */
  | {
      readonly kind: 'takeover'
      readonly stream: string
      readonly holder: string
      readonly at: number
    }
  /** An event for the connection that carries a stream now. */
  | {
      readonly kind: 'event'
      readonly stream: string
      readonly id?: string | undefined
      readonly data: string
      readonly final: boolean
    }
  /** The connection that carries a stream is to hang up; the client comes back. */
  | { readonly kind: 'hangup'; readonly stream: string }
  /** The record changed. */
  | { readonly kind: 'patch'; readonly patch: SessionPatch }
  /** The user was sent to a page; the session wants to hear when that is done. */
  | { readonly kind: 'elicitation'; readonly elicitationId: string }
  /** The session is over. */
  | { readonly kind: 'end' }

/**
 * How mail to the sessions of a store travels: by the store's own mail, else over the bus. Sessions
 * that cannot change get none: nothing of theirs is alive beyond a request.
 *
 * @returns undefined where there is none
 */
export function sessionMail(store: SessionStore, bus: Bus | undefined): SessionMail | undefined {
  if (store.mail !== undefined) return store.mail
  return bus === undefined || !store.traits.mutable ? undefined : busMail(bus)
}

function busMail(bus: Bus): SessionMail {
  return {
    send: (id, message) => bus.publish({ topic: sessionTopic(id), data: message }),
    receive: (id, deliver, signal) => {
      const unwrap = ({ data }: { readonly data: unknown }): void => {
        if (typeof data === 'string') deliver(data)
      }
      return bus.subscribe([sessionTopic(id)], unwrap, signal)
    },
  }
}

/**
 * Reads a message. What travels between processes may come from another version of this package.
 *
 * @param text what came by mail
 * @returns undefined for what is not understood
 */
export function readSessionMessage(text: string): SessionMessage | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  return isRecord(value) ? readMessage(value) : undefined
}

function readMessage(value: Record<string, unknown>): SessionMessage | undefined {
  switch (value['kind']) {
    case 'answer':
      return isResponse(value['response'])
        ? { kind: 'answer', response: value['response'] }
        : undefined
    case 'cancel':
      return readCancel(value)
    case 'event':
      return readEvent(value)
    case 'patch':
      return isRecord(value['patch'])
        ? { kind: 'patch', patch: readPatch(value['patch']) }
        : undefined
    case 'elicitation':
      return readElicitation(value)
    case 'end':
      return { kind: 'end' }
    default:
      return readStreamMessage(value)
  }
}

function readCancel({ requestId, reason }: Record<string, unknown>): SessionMessage | undefined {
  if (!isRequestId(requestId)) return undefined
  return { kind: 'cancel', requestId, reason: typeof reason === 'string' ? reason : undefined }
}

function readElicitation({ elicitationId }: Record<string, unknown>): SessionMessage | undefined {
  return typeof elicitationId === 'string' ? { kind: 'elicitation', elicitationId } : undefined
}

function readStreamMessage(value: Record<string, unknown>): SessionMessage | undefined {
  const { kind, stream, holder, at } = value
  if (typeof stream !== 'string') return undefined
  if (kind === 'hangup') return { kind, stream }
  const complete = kind === 'takeover' && typeof holder === 'string' && typeof at === 'number'
  return complete ? { kind, stream, holder, at } : undefined
}

function readEvent(value: Record<string, unknown>): SessionMessage | undefined {
  const { stream, id, data, final } = value
  if (typeof stream !== 'string' || typeof data !== 'string') return undefined
  const known = typeof id === 'string' ? id : undefined
  return { kind: 'event', stream, id: known, data, final: final === true }
}

function readPatch(value: Record<string, unknown>): SessionPatch {
  const { initialized, logLevel, subscribe, unsubscribe } = value
  return {
    initialized: initialized === true ? true : undefined,
    logLevel: isLoggingLevel(logLevel) ? logLevel : undefined,
    subscribe: typeof subscribe === 'string' ? subscribe : undefined,
    unsubscribe: typeof unsubscribe === 'string' ? unsubscribe : undefined,
  }
}
