/**
 * One feature of a server: the methods it answers, and the capability it contributes.
 *
 * @module
 */
import type { ServerCapabilities } from '../protocol/capabilities.ts'
import type { Params } from '../protocol/jsonrpc.ts'
import type { Era } from '../protocol/versions.ts'
import type { Call, Delivery } from './call.ts'
import type { ResultText } from './result-text.ts'

/** What a method answers. */
export type MethodResult = Params | ResultText

/** One method of a server. */
export interface Method {
  /** The only era that has the method; absent when both have. */
  readonly era?: Era | undefined
  /** The capability without which the method does not exist. */
  readonly capability?: keyof ServerCapabilities | undefined
  /** Answers a call. */
  readonly handle: (call: Call) => MethodResult | Promise<MethodResult>
}

/** One feature of a server. */
export interface Feature {
  /** Its methods by name. */
  readonly methods: Readonly<Record<string, Method>>
  /** Its part of the capabilities, given what the deployment can deliver; absent where it has none. */
  capabilities?(delivery: Delivery): ServerCapabilities
}
