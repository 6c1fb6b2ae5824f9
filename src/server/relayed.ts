/**
 * Errors of other servers that a handler lets pass.
 *
 * @module
 */
import {
  HEADER_MISMATCH,
  McpError,
  METHOD_NOT_FOUND,
  UNSUPPORTED_PROTOCOL_VERSION,
} from '../protocol/errors.ts'
import { ParamHeaderError } from './param-headers.ts'

/**
 * An error as the outcome of a handler. The code of another server's error means something about
 * that exchange, not about this one, so the error loses the class that would set this one's HTTP
 * status.
 *
 * @param error an error that came out of a method
 */
export function relayed(error: McpError): McpError {
  if (error instanceof ParamHeaderError) return error
  const { code, message, data, cause } = error
  const refusals = [HEADER_MISMATCH, UNSUPPORTED_PROTOCOL_VERSION, METHOD_NOT_FOUND]
  return refusals.includes(code) ? new McpError(code, message, { data, cause }) : error
}
