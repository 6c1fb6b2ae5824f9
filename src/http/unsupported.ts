/**
 * Revisions that are not served here.
 *
 * @module
 */
import { UnsupportedProtocolVersionError } from '../protocol/errors.ts'
import type { Deployment } from './deployment.ts'

/**
 * The error for a revision that is not served.
 *
 * @param deployment names those that are: the self-contained ones, or else the others
 * @param requested the revision that was asked for
 */
export function unsupported(
  { server, settings }: Deployment,
  requested: string,
): UnsupportedProtocolVersionError {
  const own = settings.modern ? server.core.modern.revisions : []
  return new UnsupportedProtocolVersionError(
    requested,
    own.length > 0 ? own : server.core.legacy.revisions,
  )
}

/**
 * Tells whether self-contained requests are served at all.
 *
 * @param deployment names what is served
 */
export function servesModern({ server, settings }: Deployment): boolean {
  return settings.modern && server.core.modern.revisions.length > 0
}
