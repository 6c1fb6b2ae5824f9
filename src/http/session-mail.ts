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
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) && isSessionMessage(value) ? value : undefined
  } catch {
    return undefined
  }
}

type Message = Record<string, unknown>

function isSessionMessage(message: Message): message is Message & SessionMessage {
  switch (message['kind']) {
    case 'answer':
      return isResponse(message['response'])
    case 'cancel':
      return isRequestId(message['requestId']) && isOptionalText(message['reason'])
    case 'takeover':
      return isText(message['stream']) && isText(message['holder']) && isNumber(message['at'])
    case 'event':
      return isEvent(message)
    case 'hangup':
      return isText(message['stream'])
    case 'patch':
      return isRecord(message['patch']) && isPatch(message['patch'])
    case 'elicitation':
      return isText(message['elicitationId'])
    default:
      return message['kind'] === 'end'
  }
}

function isEvent({ stream, id, data, final }: Message): boolean {
  return isText(stream) && isOptionalText(id) && isText(data) && typeof final === 'boolean'
}

function isPatch({ initialized, logLevel, subscribe, unsubscribe }: Message): boolean {
  if (initialized !== undefined && initialized !== true) return false
  const levels = logLevel === undefined || isLoggingLevel(logLevel)
  return levels && isOptionalText(subscribe) && isOptionalText(unsubscribe)
}

function isText(value: unknown): boolean {
  return typeof value === 'string'
}

function isOptionalText(value: unknown): boolean {
  return value === undefined || isText(value)
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number'
}
