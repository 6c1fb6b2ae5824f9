/**
 * The few types of Bun that the adapter needs, so that its declarations need nobody's.
 *
 * @module
 */

/** What `Bun.serve` passes to `fetch` besides the request. */
export interface BunServer {
  readonly port: number
  readonly hostname: string
  /** Seconds without traffic after which a request is cut; 0 for never. */
  timeout(request: Request, seconds: number): void
  /** Stops listening, and resolves when every answer is written or, if told so, cut. */
  stop(closeActiveConnections?: boolean): Promise<void>
}

/** The part of the `Bun` global that the adapter calls. */
export interface BunGlobal {
  serve(options: {
    readonly port: number
    readonly hostname: string
    readonly fetch: (request: Request, server: BunServer) => Promise<Response>
  }): BunServer
}

/** The part of `process` that the adapter calls. */
export interface BunProcess {
  on(signal: string, listener: () => void): unknown
  off(signal: string, listener: () => void): unknown
}
