/**
 * Finds out which era a server belongs to. Asks for the modern one, and falls back to the handshake
 * only where the specification allows it: a server that answered as a modern one is never asked to
 * shake hands, and an outage is no evidence of age.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/lifecycle#version-negotiation
 * @module
 */
import { isServerCapabilities } from '../../protocol/capabilities.ts'
import type { ClientCapabilities } from '../../protocol/capabilities.ts'
import { META_SERVER_INFO } from '../../protocol/constants.ts'
import {
  HEADER_MISMATCH,
  isMcpError,
  MISSING_CLIENT_CAPABILITY,
  UNSUPPORTED_PROTOCOL_VERSION,
} from '../../protocol/errors.ts'
import { isImplementation } from '../../protocol/implementation.ts'
import type { Implementation } from '../../protocol/implementation.ts'
import { isRecord } from '../../protocol/jsonrpc.ts'
import type { Params } from '../../protocol/jsonrpc.ts'
import { PROBE_TIMEOUT_MS } from '../../protocol/limits.ts'
import {
  isLegacyRevision,
  isModernRevision,
  isRevision,
  LATEST_LEGACY_REVISION,
  LATEST_MODERN_REVISION,
  MODERN_REVISIONS,
} from '../../protocol/versions.ts'
import type { LegacyRevision, ModernRevision } from '../../protocol/versions.ts'
import { ConnectionClosedError, RequestTimeoutError } from '../../rpc/errors.ts'
import { withEnvelope } from './modern.ts'
import { HttpError, InvalidResponseError, NegotiationError, UnauthorizedError } from '../errors.ts'
import type { Link } from '../link.ts'
import type { NegotiationMode, Verdict } from '../options.ts'

/** What a negotiation needs. */
export interface NegotiationParts {
  readonly link: Link
  readonly clientInfo: Implementation
  readonly capabilities: () => ClientCapabilities
  readonly timeoutMs: number | null
  readonly signal: AbortSignal | undefined
}

/** What a probe found. */
export type Probe =
  | { readonly era: 'modern'; readonly verdict: Verdict }
  | { readonly era: 'legacy' }
  /** The server's process did not survive the question. */
  | { readonly era: 'gone'; readonly error: ConnectionClosedError }

/**
 * Tells whether a value is a way to choose the revision.
 *
 * @param mode what the application wrote
 */
export function isMode(mode: unknown): mode is NegotiationMode {
  return mode === 'auto' || mode === 'legacy' || mode === 'modern' || isRevision(mode)
}

/**
 * The revision that `initialize` offers in a mode.
 *
 * @param mode how the revision is chosen
 * @returns undefined in a mode that never shakes hands
 */
export function offeredRevision(mode: NegotiationMode): LegacyRevision | undefined {
  if (mode === 'auto' || mode === 'legacy') return LATEST_LEGACY_REVISION
  return isLegacyRevision(mode) ? mode : undefined
}

/**
 * Asks a server whether it is modern.
 *
 * @param parts the connection and who asks
 * @param fallback whether the handshake may follow
 * @throws {NegotiationError} when there is no revision in common
 * @throws whatever says nothing about the era: outages, refusals, timeouts over HTTP
 */
export async function probe(parts: NegotiationParts, fallback: boolean): Promise<Probe> {
  let revision: ModernRevision = LATEST_MODERN_REVISION
  for (let attempt = 1; ; attempt += 1) {
    const asked = await ask(parts, revision, parts.link.kind === 'http' || !fallback)
    if ('result' in asked) return readDiscovery(asked.result, fallback)
    const retry = retryRevision(asked, fallback)
    if (retry === undefined) return readFailure(parts.link, asked, fallback)
    if (retry === 'legacy') return { era: 'legacy' }
    if (attempt > 1)
      throw new NegotiationError(`The server refuses ${retry} and lists it at the same time`, {
        supported: [retry],
        cause: asked.error,
      })
    revision = retry
  }
}

/**
 * Shakes hands.
 *
 * @param parts the connection and who asks
 * @param offered the revision to ask for
 * @param pinned whether the server has to agree to exactly that
 * @throws {NegotiationError} when the server answers with a revision we cannot speak
 */
export async function handshake(
  parts: NegotiationParts,
  offered: LegacyRevision,
  pinned: boolean,
): Promise<Verdict> {
  const { link, clientInfo, timeoutMs, signal } = parts
  const method = 'initialize'
  const result = await link.send({
    method,
    timeoutMs,
    signal,
    params: () => ({
      protocolVersion: offered,
      capabilities: withNotices(parts.capabilities()),
      clientInfo,
    }),
  })
  const { protocolVersion, capabilities, serverInfo, instructions } = result
  if (!isLegacyRevision(protocolVersion) || (pinned && protocolVersion !== offered))
    throw new NegotiationError(
      `The server answered ${offered} with ${JSON.stringify(protocolVersion)}, which is not spoken here`,
      { supported: typeof protocolVersion === 'string' ? [protocolVersion] : [] },
    )
  if (!isServerCapabilities(capabilities))
    throw new InvalidResponseError(method, 'its capabilities are not an object of objects')
  await link.notify({ jsonrpc: '2.0', method: 'notifications/initialized' })
  return {
    era: 'legacy',
    protocolVersion,
    serverCapabilities: capabilities,
    ...described(serverInfo, instructions),
  }
}

/** Only this era's servers are told when the roots change. */
function withNotices(capabilities: ClientCapabilities): ClientCapabilities {
  const { roots } = capabilities
  return roots === undefined
    ? capabilities
    : { ...capabilities, roots: { listChanged: true, ...roots } }
}

type Asked =
  | { readonly result: Params }
  | { readonly error: unknown; readonly status: number | undefined }

/** @param patient whether silence is no answer either */
async function ask(
  parts: NegotiationParts,
  protocolVersion: ModernRevision,
  patient: boolean,
): Promise<Asked> {
  const { link, clientInfo, timeoutMs, signal } = parts
  let status: number | undefined
  try {
    const result = await link.send({
      method: 'server/discover',
      signal,
      timeoutMs: patient ? timeoutMs : Math.min(PROBE_TIMEOUT_MS, timeoutMs ?? PROBE_TIMEOUT_MS),
      onStatus: (seen) => {
        status = seen
      },
      params: () =>
        withEnvelope(
          { params: {} },
          { protocolVersion, clientInfo, capabilities: parts.capabilities() },
        ),
    })
    return { result }
  } catch (error) {
    signal?.throwIfAborted()
    return { error, status }
  }
}

function readDiscovery(result: Params, fallback: boolean): Probe {
  const { supportedVersions, capabilities, instructions } = result
  if (!isStrings(supportedVersions) || !isServerCapabilities(capabilities)) {
    if (fallback) return { era: 'legacy' }
    throw new InvalidResponseError('server/discover', 'it names no versions or no capabilities')
  }
  const protocolVersion = newestOf(supportedVersions)
  if (protocolVersion === undefined) {
    if (fallback && supportedVersions.some(isLegacyRevision)) return { era: 'legacy' }
    throw disjoint(supportedVersions)
  }
  const meta = result['_meta']
  const serverInfo = isRecord(meta) ? meta[META_SERVER_INFO] : undefined
  // Early servers put their identity beside the versions.
  const info = described(serverInfo ?? result['serverInfo'], instructions)
  const verdict = { protocolVersion, serverCapabilities: capabilities, ...info }
  return { era: 'modern', verdict: { era: 'modern', ...verdict } }
}

/** What to do about a refusal of the revision; undefined when it was something else. */
function retryRevision(
  { error }: { readonly error: unknown },
  fallback: boolean,
): ModernRevision | 'legacy' | undefined {
  if (!isMcpError(error) || error.code !== UNSUPPORTED_PROTOCOL_VERSION) return undefined
  const listed = isRecord(error.data) ? error.data['supported'] : undefined
  const supported = isStrings(listed) ? listed : []
  const common = newestOf(supported)
  if (common !== undefined) return common
  if (fallback && supported.some(isLegacyRevision)) return 'legacy'
  throw disjoint(supported, error)
}

function readFailure(
  link: Link,
  { error, status }: { readonly error: unknown; readonly status: number | undefined },
  fallback: boolean,
): Probe {
  if (link.kind === 'channel' && error instanceof ConnectionClosedError && fallback)
    return { era: 'gone', error }
  if (fallback && isOtherEra(link, error, status)) return { era: 'legacy' }
  throw error
}

/**
 * Tells whether a failure is how servers of the other era fail, and no outage.
 *
 * @param link how the server was asked
 * @param error what came back
 * @param status the HTTP status, where there was one
 */
export function isOtherEra(link: Link, error: unknown, status?: number): boolean {
  if (isMcpError(error)) {
    if (error.code === HEADER_MISMATCH || error.code === MISSING_CLIENT_CAPABILITY) return false
    return status === undefined || status < 500
  }
  if (error instanceof RequestTimeoutError) return link.kind === 'channel'
  if (error instanceof UnauthorizedError) return false
  if (error instanceof HttpError) return isOrdinaryRefusal(error.status)
  return error instanceof InvalidResponseError
}

/** 403 and 429 say who we are, or how often we ask; 5xx says that something is broken. */
function isOrdinaryRefusal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 403 && status !== 429
}

function newestOf(versions: readonly string[]): ModernRevision | undefined {
  return MODERN_REVISIONS.findLast((revision) => versions.includes(revision))
}

function disjoint(supported: readonly string[], cause?: unknown): NegotiationError {
  const listed = supported.length === 0 ? 'none' : supported.join(', ')
  return new NegotiationError(`No revision in common: the server serves ${listed}`, {
    supported,
    cause,
  })
}

function described(
  serverInfo: unknown,
  instructions: unknown,
): Pick<Verdict, 'serverInfo' | 'instructions'> {
  return {
    serverInfo: isImplementation(serverInfo) ? serverInfo : undefined,
    instructions: typeof instructions === 'string' ? instructions : undefined,
  }
}

function isStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}

/**
 * Checks a verdict that an application kept: it may come from another version of this package, and
 * the application may insist on something else by now.
 *
 * @param verdict what was kept
 * @param mode how the revision is chosen
 */
export function isUsable({ era, protocolVersion }: Verdict, mode: NegotiationMode): boolean {
  if (mode !== 'auto' && mode !== era && mode !== protocolVersion) return false
  return era === 'modern' ? isModernRevision(protocolVersion) : isLegacyRevision(protocolVersion)
}
