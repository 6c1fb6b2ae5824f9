/**
 * Asking on the modern wire, by replay: a question without an answer ends the handler, the result
 * asks the client, and the retry runs the handler again from the top. Answers and effects of
 * earlier rounds come from the journal.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 * @module
 */
import { missingCapabilities } from '../../protocol/capabilities.ts'
import {
  InvalidParamsError,
  InvalidRequestError,
  MissingRequiredClientCapabilityError,
} from '../../protocol/errors.ts'
import { isRecord } from '../../protocol/jsonrpc.ts'
import type { Params } from '../../protocol/jsonrpc.ts'
import { MAX_REPLAY_ROUNDS } from '../../protocol/limits.ts'
import type { Call } from '../call.ts'
import { readJournal, writeJournal } from '../input-required/journal.ts'
import type { Journal } from '../input-required/journal.ts'
import { STATE_REFUSED } from '../input-required/request-states.ts'
import { isInputRequired } from '../input-required/result.ts'
import type { InputRequired } from '../input-required/result.ts'
import { CallMemory, Unanswered } from './call-memory.ts'
import { needsOf, Refusals, together } from './needs.ts'
import { Asked } from './question.ts'
import type { Asker, Question, QuestionMethod } from './question.ts'

/** The methods whose result may be a question. */
const ASKING_METHODS = ['tools/call', 'prompts/get', 'resources/read']

/** A question as a result carries it. */
interface Embedded {
  readonly method: QuestionMethod
  readonly params: Params
}

/** A question that waits for its answer. */
interface Pending {
  readonly question: Question
  readonly mark: string
}

/** Asks with the result of the call, and replays. */
export class ReplayAsker implements Asker {
  readonly responses: Params
  readonly state: unknown
  readonly #call: Call
  readonly #memory: CallMemory
  readonly #refusals = new Refusals()
  readonly #rounds: number
  readonly #pending = new Map<string, Pending>()
  #callId: string | undefined

  private constructor(call: Call, journal: Partial<Journal>) {
    this.#call = call
    this.#memory = new CallMemory(journal)
    this.#rounds = journal.rounds ?? 0
    this.#callId = journal.callId
    this.state = journal.state
    this.responses = toResponses(call.params['inputResponses'])
  }

  /** Asks in a first round that brings nothing. */
  static fresh(call: Call): ReplayAsker {
    return new ReplayAsker(call, {})
  }

  /**
   * Asks in a round that brings a state or answers.
   *
   * @throws {InvalidParamsError} if the state was not made for this call, or the answers are malformed
   */
  static async resumed(call: Call): Promise<ReplayAsker> {
    const { states, params } = call
    const { requestState } = params
    if (requestState === undefined) return ReplayAsker.fresh(call)
    if (typeof requestState !== 'string') throw new InvalidParamsError(STATE_REFUSED)
    if (states.plain) return new ReplayAsker(call, { state: requestState })
    const journal = readJournal(await states.open(call, requestState))
    if (journal === undefined) throw new InvalidParamsError(STATE_REFUSED)
    return new ReplayAsker(call, journal)
  }

  get callId(): string {
    this.#refusePlain()
    return this.#idOfCall()
  }

  async ask<Answer>(
    question: Question,
    read: (result: Params) => Answer | Promise<Answer>,
  ): Promise<Answer> {
    this.#refusePlain()
    const { method } = this.#call
    if (!ASKING_METHODS.includes(method)) {
      throw new TypeError(`'${method}' cannot ask on this wire: tools, prompts and resources can`)
    }
    return this.#memory.ask(question, { read, send: (mark) => this.#send(question, mark) })
  }

  once(key: string, effect: () => unknown): Promise<unknown> {
    this.#refusePlain()
    return this.#memory.once(key, effect)
  }

  /** There are no requests to the client on this wire. */
  ping(): Promise<void> {
    return Promise.reject(new InvalidRequestError('This client cannot be pinged'))
  }

  async settle(returned: unknown): Promise<unknown> {
    const explicit = isInputRequired(returned) ? returned : undefined
    const asks = explicit !== undefined || this.#pending.size > 0
    if (asks) await this.#memory.idle()
    this.#memory.end()
    return asks ? new Asked(await this.#result(explicit)) : returned
  }

  async caught(error: unknown): Promise<Asked> {
    await this.#memory.idle()
    this.#memory.end()
    const refusal = this.#refusals.whole(error)
    // Nobody is asked for nothing; but a refusal that came of catching everything does not count.
    if (refusal !== undefined && !this.#memory.unwound) throw refusal
    if (this.#pending.size > 0) return new Asked(await this.#result(undefined))
    throw refusal ?? error
  }

  async #send(question: Question, mark: string): Promise<Params> {
    const { key } = question
    const { answers } = this.#memory
    const known = answers.get(key)?.result ?? this.#responseTo(key)
    if (known !== undefined) {
      answers.set(key, { question: mark, result: known })
      return known
    }
    const missing = missingCapabilities(needsOf(question), this.#call.caller.capabilities)
    if (missing !== undefined) throw this.#refusals.refuse(missing)
    this.#pending.set(key, { question, mark })
    return Promise.reject(new Unanswered(key))
  }

  #responseTo(key: string): Params | undefined {
    if (!Object.hasOwn(this.responses, key)) return undefined
    const response = this.responses[key]
    if (isRecord(response)) return response
    throw new InvalidParamsError(`The answer to '${key}' must be an object`)
  }

  async #result(returned: InputRequired | undefined): Promise<Params> {
    const requests = this.#requests(returned)
    const needs = together([...requests.values()].map(needsOf))
    const missing = missingCapabilities(needs, this.#call.caller.capabilities)
    if (missing !== undefined) throw new MissingRequiredClientCapabilityError(missing)
    if (this.#rounds >= MAX_REPLAY_ROUNDS) {
      throw new TypeError(`a call may ask in at most ${MAX_REPLAY_ROUNDS} rounds`)
    }
    const requestState = await this.#sealed(returned)
    return {
      resultType: 'input_required',
      inputRequests: requests.size === 0 ? undefined : Object.fromEntries(requests),
      requestState,
    }
  }

  #requests(returned: InputRequired | undefined): ReadonlyMap<string, Embedded> {
    const requests = new Map<string, Embedded>()
    for (const [key, { question }] of this.#pending) {
      requests.set(key, embedded(question.method, question.params))
    }
    for (const [key, { method, params = {} }] of Object.entries(returned?.requests ?? {})) {
      requests.set(key, embedded(method, { ...params }))
    }
    return requests
  }

  async #sealed(returned: InputRequired | undefined): Promise<string | undefined> {
    const state = returned?.state
    if (this.#call.states.plain) {
      if (state === undefined || typeof state === 'string') return state
      throw new TypeError("with requestState: 'plain', state must be a string")
    }
    const { answers, effects } = this.#memory
    const remembers = this.#pending.size + answers.size + effects.size > 0
    if (!remembers && state === undefined && this.#callId === undefined) return undefined
    const callId = this.#idOfCall()
    const rounds = this.#rounds + 1
    const asked = new Map(Array.from(this.#pending, ([key, { mark }]) => [key, mark]))
    const journal = writeJournal({ callId, rounds, asked, answers, effects, state })
    return this.#call.states.seal(this.#call, journal)
  }

  #idOfCall(): string {
    this.#callId ??= crypto.randomUUID()
    return this.#callId
  }

  #refusePlain(): void {
    if (!this.#call.states.plain) return
    throw new TypeError(
      "with requestState: 'plain' a call remembers only the state of inputRequired(): set keys instead",
    )
  }
}

/** Without what a request of its own would carry: metadata, and the id of a page. */
function embedded(method: QuestionMethod, params: Params): Embedded {
  const { _meta, elicitationId: _id, ...asked } = params
  return { method, params: asked }
}

function toResponses(value: unknown): Params {
  if (value === undefined) return {}
  if (isRecord(value)) return value
  throw new InvalidParamsError("'inputResponses' must be an object")
}
