/**
 * Where errors go that no peer may see.
 *
 * @module
 */

/** What was going on when an error happened. */
export type ErrorPlace =
  | { readonly request: { readonly method: string; readonly id?: string | number | undefined } }
  | { readonly notification: { readonly method: string } }

/** Receives errors that are masked to the peer. */
export type OnError = (error: unknown, where: ErrorPlace) => void

/**
 * Reports an error. Without an `onError` it goes to the console's error output, so that a masked
 * failure never vanishes.
 *
 * @param onError the server's option
 * @param error anything thrown
 * @param where what was going on
 */
export function report(onError: OnError | undefined, error: unknown, where: ErrorPlace): void {
  if (onError === undefined) {
    console.error('mcp-edge:', error, where)
    return
  }
  try {
    const reporting: unknown = onError(error, where)
    // An async reporter fits the type too; what it rejects with must not end the process.
    if (reporting instanceof Promise) reporting.catch(nothing)
  } catch {
    // A reporter that fails must not fail the call it reports on, and has nowhere to report to.
  }
}

/** Receives what an author should know about a definition that works, but not as well as it could. */
export type OnWarning = (warning: string) => void

/**
 * Tells the author something.
 *
 * @param onWarning the server's option
 * @param warning one sentence that names the definition
 */
export function warn(onWarning: OnWarning | undefined, warning: string): void {
  if (onWarning === undefined) console.warn('mcp-edge:', warning)
  else onWarning(warning)
}

function nothing(): void {}
