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
import type { Feature, MethodResult } from '../feature.ts'

/**
 * The methods that change a session. Where that can be done is for the deployment to say, so other
 * features declare it.
 *
 * @param capabilities the capabilities of the whole server
 */
export function sessionSettings(capabilities: (delivery: Delivery) => ServerCapabilities): Feature {
  const uriOf = ({ delivery, method, params }: Call): string => {
    if (capabilities(delivery).resources?.subscribe !== true) throw new MethodNotFoundError(method)
    const { uri } = params
    if (typeof uri === 'string' && uri.length <= MAX_URI_CHARS) return uri
    throw new InvalidParamsError(`'uri' must be a string of at most ${MAX_URI_CHARS} characters`)
  }
  return {
    methods: {
      'logging/setLevel': {
        era: 'legacy',
        capability: 'logging',
        handle: (call) => update(call, { logLevel: levelOf(call) }),
      },
      'resources/subscribe': {
        era: 'legacy',
        capability: 'resources',
        handle: (call) => update(call, { subscribe: uriOf(call) }),
      },
      'resources/unsubscribe': {
        era: 'legacy',
        capability: 'resources',
        handle: (call) => update(call, { unsubscribe: uriOf(call) }),
      },
    },
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
