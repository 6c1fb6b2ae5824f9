/**
 * The few types of Deno that the adapter needs, so that its declarations need nobody's.
 *
 * @module
 */

/** A server that `Deno.serve` has started. */
export interface DenoServer {
  readonly addr: { readonly port: number }
  /** Stops listening, and resolves when every connection is done. */
  shutdown(): Promise<void>
}

/** The part of the `Deno` global that the adapter calls. */
export interface DenoGlobal {
  serve(
    options: { readonly port: number; readonly hostname: string; readonly onListen: () => void },
    handler: (request: Request) => Promise<Response>,
  ): DenoServer
  readonly build: { readonly os: string }
  addSignalListener(signal: string, listener: () => void): void
  removeSignalListener(signal: string, listener: () => void): void
}
