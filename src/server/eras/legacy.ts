/**
 * The handshake generation: what is known of a caller was said at `initialize` and is kept in a
 * session, or is not known at all.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic
 * @module
 */
import type { AuthInfo } from '../../protocol/auth-info.ts'
import type { ClientCapabilities } from '../../protocol/capabilities.ts'
import {
  errorResponse,
  InvalidRequestError,
  McpError,
  MISSING_CLIENT_CAPABILITY,
  RESOURCE_NOT_FOUND,
  ResourceNotFoundError,
} from '../../protocol/errors.ts'
import type { Implementation } from '../../protocol/implementation.ts'
import type { Params, RequestId } from '../../protocol/jsonrpc.ts'
import type { LoggingLevel } from '../../protocol/logging.ts'
import type { LegacyRevision } from '../../protocol/versions.ts'
import { RequestAsker } from '../ask/by-request.ts'
import type { Asker } from '../ask/question.ts'
import type { CacheHints } from '../cache-hints.ts'
import type { Call, Caller } from '../call.ts'
import { ResultText } from '../result-text.ts'
import { opening } from './era.ts'
import type { Answer, Body, EraRules } from './era.ts'

/** What a session, or the lack of one, tells of a caller. */
export interface LegacyIdentity {
  readonly revision: LegacyRevision
  readonly capabilities: ClientCapabilities
  readonly clientInfo?: Implementation | undefined
  readonly logLevel?: LoggingLevel | undefined
  readonly sessionId?: string | undefined
}

/** Requests that belong to a session, or stand alone without saying more. */
export class LegacyEra implements EraRules<LegacyIdentity> {
  readonly era = 'legacy'
  /** The revisions served, oldest first. */
  readonly revisions: readonly LegacyRevision[]

  readonly #shims: boolean

  /**
   * @param revisions the revisions served, oldest first
   * @param shims whether questions that a handler returns are asked for it: the `legacyShim` option
   */
  constructor(revisions: readonly LegacyRevision[], shims: boolean) {
    this.revisions = revisions
    this.#shims = shims
  }

  identify(identity: LegacyIdentity, auth: AuthInfo | undefined): Caller {
    const { revision, capabilities, clientInfo, logLevel, sessionId } = identity
    return { era: 'legacy', revision, capabilities, clientInfo, logLevel, sessionId, auth }
  }

  ask(call: Call): Asker {
    return new RequestAsker(call, this.#shims)
  }

  /** Nothing continues on this wire: members of other revisions are ignored. */
  async resume(call: Call): Promise<Asker> {
    return this.ask(call)
  }

  finish(call: Call, result: Params | ResultText): Body {
    const before = opening(call.id)
    return result instanceof ResultText
      ? result.between(before, '}')
      : before + JSON.stringify(result) + '}'
  }

  seal(result: string): string {
    return result
  }

  fault(id: RequestId | undefined, error: McpError): Answer {
    const sent = inOldWords(error)
    return { status: 200, body: JSON.stringify(errorResponse(id, sent)), error: sent }
  }

  hints(server: CacheHints | undefined, own: CacheHints | undefined): CacheHints | undefined {
    return own ?? server
  }
}

/** Codes that came later, said with those that this era has. */
function inOldWords(error: McpError): McpError {
  const { message, data } = error
  if (error instanceof ResourceNotFoundError)
    return new McpError(RESOURCE_NOT_FOUND, message, { data })
  if (error.code === MISSING_CLIENT_CAPABILITY) return new InvalidRequestError(message, { data })
  return error
}
