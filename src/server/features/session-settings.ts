/**
 * What the client of a session sets once for the whole session: its log level, and the resources it
 * wants to hear about.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/logging
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/resources#subscriptions
 * @module
 */
import type { ServerCapabilities } from '../../protocol/capabilities.ts'
import { InvalidParamsError, MethodNotFoundError } from '../../protocol/errors.ts'
import { MAX_URI_CHARS } from '../../protocol/limits.ts'
import { isLoggingLevel, LOGGING_LEVELS } from '../../protocol/logging.ts'
import type { SessionPatch } from '../../stores/session-store.ts'
import type { Call, Delivery } from '../call.ts'
import type { Feature, Method, MethodResult } from '../feature.ts'

/** The methods that change a session. */
export class SessionSettings implements Feature {
  readonly methods: Readonly<Record<string, Method>>
  readonly #capabilities: (delivery: Delivery) => ServerCapabilities

  /** @param capabilities the capabilities of the whole server */
  constructor(capabilities: (delivery: Delivery) => ServerCapabilities) {
    this.#capabilities = capabilities
    this.methods = {
      'logging/setLevel': {
        era: 'legacy',
        capability: 'logging',
        handle: (call) => update(call, { logLevel: levelOf(call) }),
      },
      'resources/subscribe': {
        era: 'legacy',
        capability: 'resources',
        handle: (call) => update(call, { subscribe: this.#uriOf(call) }),
      },
      'resources/unsubscribe': {
        era: 'legacy',
        capability: 'resources',
        handle: (call) => update(call, { unsubscribe: this.#uriOf(call) }),
      },
    }
  }

  /** Where sessions can be changed is for the deployment to say; other features declare it. */
  capabilities(): ServerCapabilities {
    return {}
  }

  #uriOf(call: Call): string {
    const { resources } = this.#capabilities(call.delivery)
    if (resources?.subscribe !== true) throw new MethodNotFoundError(call.method)
    const { uri } = call.params
    if (typeof uri === 'string' && uri.length <= MAX_URI_CHARS) return uri
    throw new InvalidParamsError(`'uri' must be a string of at most ${MAX_URI_CHARS} characters`)
  }
}

function levelOf(call: Call): SessionPatch['logLevel'] {
  const { level } = call.params
  if (isLoggingLevel(level)) return level
  throw new InvalidParamsError(`'level' must be one of ${LOGGING_LEVELS.join(', ')}`)
}

async function update({ session, method }: Call, patch: SessionPatch): Promise<MethodResult> {
  if (session === undefined) throw new MethodNotFoundError(method)
  await session.update(patch)
  return {}
}
