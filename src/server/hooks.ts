/**
 * Observing requests: one function around each, for traces, metrics and audit.
 *
 * @module
 */
import type { Implementation } from '../protocol/implementation.ts'
import { principalOf } from '../protocol/auth-info.ts'
import type { Params, RequestId } from '../protocol/jsonrpc.ts'
import type { Era, Revision } from '../protocol/versions.ts'
import type { Call } from './call.ts'

/** What a hook learns of a request. */
export interface RequestInfo {
  readonly method: string
  readonly requestId: RequestId | undefined
  readonly era: Era
  readonly revision: Revision
  readonly client: Implementation | undefined
  readonly sessionId: string | undefined
  /** Who is authenticated, as one stable string. */
  readonly principal: string | undefined
  readonly toolName?: string | undefined
  readonly toolArguments?: unknown
  readonly promptName?: string | undefined
  readonly resourceUri?: string | undefined
  /** What the `context` option returned; only with `hooksSeeData`. */
  readonly data?: unknown
  /** Milliseconds the request took; set after `next()`. */
  durationMs?: number | undefined
  /** What went wrong, unmasked; set after `next()`. */
  error?: unknown
}

/**
 * Wraps every request. It must return what `next()` resolves to, which is opaque: a result that is
 * finished or kept as text. An error of `next()` may be rethrown, replaced, or let pass.
 */
export type AroundRequest = (info: RequestInfo, next: () => Promise<unknown>) => Promise<unknown>

/**
 * Describes a call to a hook.
 *
 * @param call the call
 * @param seesData the `hooksSeeData` option
 */
export function toRequestInfo(call: Call, seesData: boolean): RequestInfo {
  const { caller, method } = call
  return {
    method,
    requestId: call.id,
    era: caller.era,
    revision: caller.revision,
    client: caller.clientInfo,
    sessionId: caller.sessionId,
    principal: caller.auth && principalOf(caller.auth),
    ...targetOf(method, call.params),
    ...(seesData && { data: call.data }),
  }
}

function targetOf(method: string, params: Params): Partial<RequestInfo> {
  const name = typeof params['name'] === 'string' ? params['name'] : undefined
  if (method === 'tools/call') return { toolName: name, toolArguments: params['arguments'] }
  if (method === 'prompts/get') return { promptName: name }
  if (!method.startsWith('resources/')) return {}
  return { resourceUri: typeof params['uri'] === 'string' ? params['uri'] : undefined }
}
