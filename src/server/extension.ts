/**
 * What an extension of the protocol may add to a server: apps, tasks, or something of a third
 * party. It gets this much and no more.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#extensions
 * @module
 */
import type { Params } from '../protocol/jsonrpc.ts'
import type { Call } from './call.ts'
import type { Context } from './context.ts'
import type { CustomConfig } from './features/custom.ts'

/** Changes a result before it is sent. */
export type ResultDecorator = (result: Params, call: Call) => Params | Promise<Params>

/** What an extension may do while it is installed. */
export interface ExtensionHost {
  /** Answers a method that the protocol does not know. */
  method(
    name: string,
    config: CustomConfig,
    handler: (input: Params, ctx: Context) => Params | Promise<Params>,
  ): void
  /** Changes the results of a method, the protocol's own included. */
  decorate(method: string, decorator: ResultDecorator): void
}

/** An extension of the protocol, as `server.use` takes it. */
export interface Extension {
  /** Its id, `prefix/name`; declared under `capabilities.extensions`. */
  readonly id: string
  /** Its settings; an empty object says "supported". */
  readonly settings: Readonly<Record<string, unknown>>
  /** Adds what it brings. */
  readonly install?: ((host: ExtensionHost) => void) | undefined
}
