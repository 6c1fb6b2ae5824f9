/**
 * How a conversation begins: the legacy handshake, the modern discovery, and ping.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/lifecycle
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/discover
 * @module
 */
import { isClientCapabilities } from '../../protocol/capabilities.ts'
import type { ClientCapabilities, ServerCapabilities } from '../../protocol/capabilities.ts'
import { InvalidParamsError } from '../../protocol/errors.ts'
import { isImplementation } from '../../protocol/implementation.ts'
import type { Implementation } from '../../protocol/implementation.ts'
import type { Params } from '../../protocol/jsonrpc.ts'
import type { LegacyRevision } from '../../protocol/versions.ts'
import type { Delivery } from '../call.ts'
import type { ServerCore } from '../core.ts'
import type { Feature } from '../feature.ts'

/** What a client says of itself in `initialize`. */
export interface Hello {
  /** The revision that will be spoken. */
  readonly revision: LegacyRevision
  readonly capabilities: ClientCapabilities
  readonly clientInfo: Implementation
}

/**
 * Reads the parameters of `initialize` and settles the revision: the one asked for where it is
 * served, else our newest.
 *
 * @param served the legacy revisions served, oldest first; not empty
 * @throws {InvalidParamsError} if a member is missing or ill-typed
 */
export function readHello(served: readonly LegacyRevision[], params: Params): Hello {
  const { protocolVersion, capabilities, clientInfo } = params
  if (typeof protocolVersion !== 'string') {
    throw new InvalidParamsError("'protocolVersion' must be a string")
  }
  if (!isClientCapabilities(capabilities)) {
    throw new InvalidParamsError("'capabilities' must be an object of objects")
  }
  if (!isImplementation(clientInfo)) {
    throw new InvalidParamsError("'clientInfo' must have a name and a version")
  }
  const revision = served.find((known) => known === protocolVersion) ?? served.at(-1)
  if (revision === undefined) throw new InvalidParamsError('No handshake revision is served')
  return { revision, capabilities, clientInfo }
}

/**
 * The first exchange of a conversation, in both eras.
 *
 * @param core the server's parts
 * @param capabilities the capabilities of the whole server
 */
export function lifecycle(
  core: ServerCore,
  capabilities: (delivery: Delivery) => ServerCapabilities,
): Feature {
  const { instructions, info, legacy, modern, cache } = core
  return {
    methods: {
      initialize: {
        era: 'legacy',
        handle: ({ params, delivery }) => ({
          protocolVersion: readHello(legacy.revisions, params).revision,
          capabilities: capabilities(delivery),
          serverInfo: info,
          instructions,
        }),
      },
      ping: { era: 'legacy', handle: () => ({}) },
      'server/discover': {
        era: 'modern',
        handle: ({ delivery }) => ({
          supportedVersions: modern.revisions,
          capabilities: capabilities(delivery),
          instructions,
          ...modern.hints(cache, undefined),
        }),
      },
    },
  }
}
