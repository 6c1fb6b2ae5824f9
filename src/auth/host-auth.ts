/**
 * A bridge for hosts that authenticate in front of the handler: the Workers OAuth provider, a Next
 * middleware, Hono variables. The host says who sent a request, and the handler believes it.
 *
 * @module
 */
import type { AuthInfo } from '../protocol/auth-info.ts'
import { isRecord } from '../protocol/jsonrpc.ts'

/** Carries identities from a host to a handler. */
export interface HostAuth {
  /**
   * Says who sent a request.
   *
   * @param request the very object that is then handed to the handler
   * @param auth who sent it, or that they need no name
   * @returns the request
   */
  readonly attach: (request: Request, auth: AuthInfo | 'anonymous') => Request
  /** Pass this as `authenticate`. */
  readonly authenticate: (request: Request) => AuthInfo | 'anonymous'
}

/**
 * Makes a bridge. A request that reaches the handler past the host is our mistake, not an anonymous
 * caller: it is answered with a 500 that `onError` explains.
 */
export function hostAuth(): HostAuth {
  const attached = new WeakMap<Request, AuthInfo | 'anonymous'>()
  return {
    attach(request, auth) {
      attached.set(request, auth)
      return request
    },
    authenticate(request) {
      const auth = attached.get(request)
      if (auth !== undefined) return auth
      throw new TypeError('hostAuth: the host attached no identity to this request')
    },
  }
}

/** Which members of a host's properties mean what. */
export interface PropsNames {
  /** The member that holds the user's stable id. */
  readonly subject: string
  readonly clientId?: string | undefined
  /** The member that holds scopes, as an array or separated by spaces. */
  readonly scopes?: string | undefined
  /** Who vouches for the subject; a fixed text, not a member. */
  readonly issuer?: string | undefined
}

/**
 * Reads an identity out of a host's properties, such as `ctx.props` of the Workers OAuth provider.
 *
 * @param props what the host knows about the user
 * @param names which members mean what
 * @throws {TypeError} when there is no subject: whoever the host let through has to have a name.
 */
export function fromProps(props: unknown, names: PropsNames): AuthInfo {
  const claims = isRecord(props) ? props : {}
  const subject = claims[names.subject]
  if (typeof subject !== 'string' || subject === '') {
    throw new TypeError(`fromProps: ${names.subject} of the properties is not a non-empty string`)
  }
  const clientId = names.clientId === undefined ? undefined : claims[names.clientId]
  const scopes = names.scopes === undefined ? undefined : claims[names.scopes]
  return {
    subject,
    issuer: names.issuer,
    clientId: typeof clientId === 'string' ? clientId : undefined,
    scopes: scopeList(scopes),
    claims,
  }
}

function scopeList(scopes: unknown): readonly string[] {
  const list: readonly unknown[] = typeof scopes === 'string' ? scopes.split(' ') : listOf(scopes)
  return list.filter((scope): scope is string => typeof scope === 'string' && scope !== '')
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
