/**
 * Checking that the headers of a request mirror its arguments.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports#custom-headers-from-tool-parameters
 * @module
 */
import { HeaderMismatchError } from '../protocol/errors.ts'
import { paramHeaderProblem } from '../protocol/param-headers.ts'
import type { ParamHeader } from '../protocol/param-headers.ts'
import type { HeaderLookup } from './call.ts'

/** A mirrored argument disagrees with its header: found before the handler ran. */
export class ParamHeaderError extends HeaderMismatchError {}

/**
 * Refuses a call whose headers do not mirror its arguments.
 *
 * @param declarations the arguments that are mirrored
 * @param args the arguments of the call
 * @param headers the headers of the request
 * @throws {ParamHeaderError} naming the first header that is missing, wrong or without an argument
 */
export function checkParamHeaders(
  declarations: readonly ParamHeader[],
  args: unknown,
  headers: HeaderLookup,
): void {
  for (const declaration of declarations) {
    const problem = paramHeaderProblem(declaration, args, headers.get(declaration.header))
    if (problem !== undefined) throw new ParamHeaderError(problem)
  }
}
