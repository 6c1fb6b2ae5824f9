/**
 * What all grants without a user have in common.
 *
 * @module
 */
import { boundClient, type RegisteredClient } from './registration.ts'
import type { Grant, GrantRequest } from './renewal.ts'
import { requestTokens } from './tokens.ts'

/**
 * Makes a grant that nobody has to be asked for.
 *
 * @param client the client, shown to its own issuer only
 * @param form what makes this grant, besides resource and scope; not called for a stranger
 */
export function clientGrant(
  client: RegisteredClient,
  form: (request: GrantRequest) => Promise<Readonly<Record<string, string>>>,
): Grant {
  return {
    silent: true,
    offline: false,
    issuer: client.issuer,
    client: (request) => boundClient(client, request),
    async acquire(request) {
      const credentials = await boundClient(client, request)
      const { resource, scope } = request
      const parameters = { ...(await form(request)), resource, scope }
      return requestTokens(parameters, { ...request, client: credentials })
    },
  }
}
