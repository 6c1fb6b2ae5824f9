/**
 * A question to the client, in the one form that both generations of the protocol can carry.
 *
 * @module
 */
import type { Params } from '../../protocol/jsonrpc.ts'
import type { ToJsonSchema } from '../../schema/convert.ts'
import type { Call } from '../call.ts'

/** The methods with which a server can ask a client. */
export type QuestionMethod = 'elicitation/create' | 'sampling/createMessage' | 'roots/list'

/** A question to the client. */
export interface Question {
  /** Names the question within its call, so that an answer finds it again. */
  readonly key: string
  readonly method: QuestionMethod
  readonly params: Params
  /** Milliseconds to wait where the question is a request of its own. */
  readonly timeoutMs?: number | undefined
}

/** A result that asks the client, in place of what the handler would have returned. */
export class Asked {
  /** The result on the wire. */
  readonly result: Params

  constructor(result: Params) {
    this.result = result
  }
}

/** How a handler's questions reach the client, and what is known from earlier rounds. */
export interface Asker {
  /** The same over all rounds of one call. */
  readonly callId: string
  /** The client's answers of this round, as sent. */
  readonly responses: Params
  /** What the handler kept from the round before. */
  readonly state: unknown
  /**
   * Asks. Rejects where the client cannot be asked, or has not answered yet: the handler then ends,
   * and runs again once there is an answer.
   *
   * @param question what to ask; asked once for each key
   * @param read reads the client's result
   */
  ask<Answer>(
    question: Question,
    read: (result: Params) => Answer | Promise<Answer>,
  ): Promise<Answer>
  /** Runs `effect` once in all rounds of the call, and remembers what it returned. */
  once(key: string, effect: () => unknown): Promise<unknown>
  /** Asks the client for a sign of life. */
  ping(timeoutMs: number | undefined): Promise<void>
  /**
   * What comes of a handler that has returned.
   *
   * @param returned what it returned
   * @param again runs it once more
   */
  settle(returned: unknown, again: () => Promise<unknown>): Promise<unknown>
  /**
   * What comes of a handler that has thrown: a question that is open wins over the error.
   *
   * @param error what it threw
   * @throws the error, unless a question is open
   */
  caught(error: unknown): Promise<Asked>
}

/** What a context needs of its server to ask. */
export interface AskSupport {
  readonly toJsonSchema: ToJsonSchema | undefined
  /** How the caller of `call` is asked. */
  askerFor(call: Call): Asker
  /** Says once per server that a feature is deprecated on the wire of `call`. */
  deprecated(call: Call, feature: 'sampling' | 'roots' | 'logging'): void
}
