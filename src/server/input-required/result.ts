/**
 * A handler's result that is a question: the explicit way to ask.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 * @module
 */
import type { InputRequests } from '../../protocol/input-required.ts'

/**
 * Marks a result as built by `inputRequired`. A symbol, so that no JSON from elsewhere can pass for one; a shared one,
 * so that two copies of this package agree.
 */
export const INPUT_REQUIRED: unique symbol = Symbol.for('mcp-edge.inputRequired')

/** A result built by `inputRequired({ requests, state })`. */
export interface InputRequired {
  readonly [INPUT_REQUIRED]: true
  readonly requests?: InputRequests | undefined
  /** Sealed before it is sent, and handed back as `ctx.requestState`. */
  readonly state?: unknown
}
