/**
 * The self-contained generation: each request carries its revision, its client's capabilities and
 * everything else that is known of the caller.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic
 * @module
 */
import type { AuthInfo } from '../../protocol/auth-info.ts'
import { META_SERVER_INFO } from '../../protocol/constants.ts'
import {
  errorResponse,
  HEADER_MISMATCH,
  HeaderMismatchError,
  InternalError,
  InvalidParamsError,
  MethodNotFoundError,
  MISSING_CLIENT_CAPABILITY,
  RESOURCE_NOT_FOUND,
  UNSUPPORTED_PROTOCOL_VERSION,
  UnsupportedProtocolVersionError,
} from '../../protocol/errors.ts'
import type { McpError } from '../../protocol/errors.ts'
import type { Implementation } from '../../protocol/implementation.ts'
import { isRecord } from '../../protocol/jsonrpc.ts'
import type { Params, RequestId } from '../../protocol/jsonrpc.ts'
import type { Envelope } from '../../protocol/meta.ts'
import { isModernRevision } from '../../protocol/versions.ts'
import type { ModernRevision } from '../../protocol/versions.ts'
import { ReplayAsker } from '../ask/by-input-required.ts'
import type { Asker } from '../ask/question.ts'
import { NO_CACHE } from '../cache-hints.ts'
import type { CacheHints } from '../cache-hints.ts'
import type { Call, Caller } from '../call.ts'
import { ResultText } from '../result-text.ts'
import { opening } from './era.ts'
import type { Answer, Body, EraRules } from './era.ts'

/** What an envelope tells of a caller. */
export type ModernIdentity = Pick<Envelope, 'protocolVersion' | 'clientCapabilities'> &
  Partial<Pick<Envelope, 'clientInfo' | 'logLevel'>>

/** Requests that carry their own envelope. */
export class ModernEra implements EraRules<ModernIdentity> {
  readonly era = 'modern'
  /** The revisions served, newest last. */
  readonly revisions: readonly ModernRevision[]
  readonly #serverInfo: Implementation
  readonly #head: string

  constructor(serverInfo: Implementation, revisions: readonly ModernRevision[]) {
    this.revisions = revisions
    this.#serverInfo = serverInfo
    const meta = JSON.stringify({ [META_SERVER_INFO]: serverInfo })
    this.#head = `{"resultType":"complete","_meta":${meta}`
  }

  identify(envelope: ModernIdentity, auth: AuthInfo | undefined): Caller {
    const { protocolVersion, clientCapabilities, clientInfo, logLevel } = envelope
    if (!isModernRevision(protocolVersion) || !this.revisions.includes(protocolVersion)) {
      throw new UnsupportedProtocolVersionError(protocolVersion, this.revisions)
    }
    return {
      era: 'modern',
      revision: protocolVersion,
      capabilities: clientCapabilities,
      clientInfo,
      logLevel,
      auth,
    }
  }

  ask(call: Call): Asker {
    return ReplayAsker.fresh(call)
  }

  resume(call: Call): Promise<Asker> {
    return ReplayAsker.resumed(call)
  }

  finish(call: Call, result: Params | ResultText): Body {
    const before = opening(call.id)
    if (!(result instanceof ResultText)) return before + JSON.stringify(this.#stamp(result)) + '}'
    return result.finished ? result.between(before, '}') : before + this.seal(result.text) + '}'
  }

  seal(result: string): string {
    return result === '{}' ? `${this.#head}}` : `${this.#head},${result.slice(1)}`
  }

  /** Merges our members into a result that may bring its own `_meta` and `resultType`. */
  #stamp(result: Params): Params {
    const meta = isRecord(result['_meta']) ? result['_meta'] : {}
    return {
      resultType: 'complete',
      ...result,
      _meta: { [META_SERVER_INFO]: this.#serverInfo, ...meta },
    }
  }

  fault(id: RequestId | undefined, error: McpError): Answer {
    const sent = sendable(error)
    return { status: statusOf(sent), body: JSON.stringify(errorResponse(id, sent)), error: sent }
  }

  hints(server: CacheHints | undefined, own: CacheHints | undefined): CacheHints {
    return own ?? server ?? NO_CACHE
  }
}

/**
 * An error in codes that exist on this wire. A handler may relay one of another server that speaks
 * an older revision; codes reserved for the specification and not given out by it are not sent.
 */
function sendable(error: McpError): McpError {
  const { code, data } = error
  if (code === RESOURCE_NOT_FOUND) return new InvalidParamsError(error.message, { data })
  const reserved = code <= HEADER_MISMATCH && code >= LAST_RESERVED
  const given = code >= UNSUPPORTED_PROTOCOL_VERSION
  return reserved && !given ? new InternalError({ cause: error }) : error
}

/** The end of the range of codes that only the specification gives out. */
const LAST_RESERVED = -32_099

/**
 * The HTTP status of an error. By class, not by code: a handler that relays another server's error
 * has answered, whereas ours mean that the request never reached a handler.
 */
function statusOf(error: McpError): number {
  if (error instanceof MethodNotFoundError) return 404
  if (error.code === MISSING_CLIENT_CAPABILITY) return 400
  const refused =
    error instanceof HeaderMismatchError || error instanceof UnsupportedProtocolVersionError
  return refused ? 400 : 200
}
