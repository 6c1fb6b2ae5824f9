/**
 * Asking on the modern wire, by replay: a question without an answer ends the handler, the result
 * asks the client, and the retry runs the handler again from the top. Answers and effects of
 * earlier rounds come from the journal.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 * @module
 */
import {
  InvalidParamsError,
  InvalidRequestError,
  isMcpError,
  MISSING_CLIENT_CAPABILITY,
  MissingRequiredClientCapabilityError,
} from '../../protocol/errors.ts'
import { isRecord } from '../../protocol/jsonrpc.ts'
import type { Params } from '../../protocol/jsonrpc.ts'
import { MAX_REPLAY_ROUNDS } from '../../protocol/limits.ts'
import { canonicalJson } from '../../shared/canonical-json.ts'
import { fingerprint } from '../../shared/fingerprint.ts'
import type { Call } from '../call.ts'
import type { Journal } from '../input-required/journal.ts'
import { readJournal, writeJournal } from '../input-required/journal.ts'
import { isInputRequired } from '../input-required/result.ts'
import type { InputRequired } from '../input-required/result.ts'
import { missingFor, needsOf } from './needs.ts'
import { Asked } from './question.ts'
import type { Asker, Question, QuestionMethod } from './question.ts'

/**
 * Ends a handler whose question has no answer yet. Not an Error, so that code which handles errors
 * does not take it for one.
 */
export class Unanswered {
  /** The question's key. */
  readonly key: string

  constructor(key: string) {
    this.key = key
  }
}

interface OpenQuestion {
  readonly question: string
  readonly answer: Promise<Params>
}

/** Asks with the result of the call, and replays. */
export class ReplayAsker implements Asker {
  readonly responses: Params
  readonly state: unknown
  readonly #call: Call
  readonly #answers: Journal['answers']
  readonly #effects: Journal['effects']
  readonly #rounds: number
  readonly #asked = new Map<string, OpenQuestion>()
  readonly #running = new Map<string, Promise<unknown>>()
  readonly #pending = new Map<string, Question>()
  #missing: Record<string, unknown> | undefined
  #callId: string | undefined

  private constructor(call: Call, journal: Partial<Journal>) {
    this.#call = call
    this.#answers = journal.answers ?? new Map()
    this.#effects = journal.effects ?? new Map()
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
    if (states.plain) return new ReplayAsker(call, { state: requestState })
    const journal = readJournal(await states.open(call, requestState))
    if (journal === undefined) throw new InvalidParamsError('Invalid or expired requestState')
    return new ReplayAsker(call, journal)
  }

  get callId(): string {
    this.#callId ??= crypto.randomUUID()
    return this.#callId
  }

  ask(question: Question): Promise<Params> {
    this.#refusePlain()
    const { key, method, params } = question
    const mark = fingerprint(canonicalJson([method, params]))
    const asked = this.#asked.get(key)
    if ((asked?.question ?? this.#answers.get(key)?.question ?? mark) !== mark) {
      throw new TypeError(`the key '${key}' is already used by another question of this call`)
    }
    if (asked !== undefined) return asked.answer
    const answer = this.#answer(question, mark)
    // A question that nobody awaits still counts, but must not count as an unhandled rejection.
    answer.catch(() => undefined)
    this.#asked.set(key, { question: mark, answer })
    return answer
  }

  once(key: string, effect: () => unknown): Promise<unknown> {
    this.#refusePlain()
    if (this.#effects.has(key)) return Promise.resolve(this.#effects.get(key))
    const running = this.#running.get(key) ?? this.#run(key, effect)
    this.#running.set(key, running)
    return running
  }

  /** There are no requests to the client on this wire. */
  ping(): Promise<void> {
    return Promise.reject(new InvalidRequestError('This client cannot be pinged'))
  }

  async settle(returned: unknown): Promise<unknown> {
    const explicit = isInputRequired(returned) ? returned : undefined
    if (explicit === undefined && this.#pending.size === 0) return returned
    return new Asked(await this.#result(explicit))
  }

  async caught(error: unknown): Promise<Asked> {
    if (this.#pending.size > 0) return new Asked(await this.#result(undefined))
    if (this.#missing === undefined || !isMcpError(error)) throw error
    if (error.code !== MISSING_CLIENT_CAPABILITY) throw error
    throw new MissingRequiredClientCapabilityError(this.#missing)
  }

  async #result(returned: InputRequired | undefined): Promise<Params> {
    const requests = this.#requests(returned)
    this.#gate(requests)
    if (this.#rounds >= MAX_REPLAY_ROUNDS) {
      throw new TypeError(`a call may ask in at most ${MAX_REPLAY_ROUNDS} rounds`)
    }
    const requestState = await this.#sealed(returned)
    return {
      resultType: 'input_required',
      ...(requests.size === 0 ? {} : { inputRequests: Object.fromEntries(requests) }),
      ...(requestState === undefined ? {} : { requestState }),
    }
  }

  async #answer(question: Question, mark: string): Promise<Params> {
    const { key, method, params } = question
    const known = this.#answers.get(key)?.result ?? this.#responseTo(key)
    if (known !== undefined) {
      this.#answers.set(key, { question: mark, result: known })
      return known
    }
    const missing = missingFor(needsOf(method, params), this.#call.caller.capabilities)
    if (missing !== undefined) {
      this.#missing = { ...this.#missing, ...missing }
      throw new MissingRequiredClientCapabilityError(missing)
    }
    this.#pending.set(key, question)
    return Promise.reject(new Unanswered(key))
  }

  #responseTo(key: string): Params | undefined {
    if (!Object.hasOwn(this.responses, key)) return undefined
    const response = this.responses[key]
    if (isRecord(response)) return response
    throw new InvalidParamsError(`The answer to '${key}' must be an object`)
  }

  async #run(key: string, effect: () => unknown): Promise<unknown> {
    const returned = await effect()
    // What the handler sees now is what it will see in every later round.
    const kept: unknown = returned === undefined ? undefined : JSON.parse(JSON.stringify(returned))
    this.#effects.set(key, kept)
    return kept
  }

  #requests(
    returned: InputRequired | undefined,
  ): Map<string, { method: QuestionMethod; params: Params }> {
    const requests = new Map<string, { method: QuestionMethod; params: Params }>()
    for (const [key, { method, params }] of this.#pending) requests.set(key, { method, params })
    for (const [key, { method, params = {} }] of Object.entries(returned?.requests ?? {})) {
      requests.set(key, { method, params: { ...params } })
    }
    return requests
  }

  #gate(requests: ReadonlyMap<string, { method: QuestionMethod; params: Params }>): void {
    const needs = [...requests.values()].flatMap(({ method, params }) => needsOf(method, params))
    const missing = missingFor(needs, this.#call.caller.capabilities)
    if (missing !== undefined) throw new MissingRequiredClientCapabilityError(missing)
  }

  async #sealed(returned: InputRequired | undefined): Promise<string | undefined> {
    const state = returned?.state
    if (this.#call.states.plain) {
      if (state === undefined || typeof state === 'string') return state
      throw new TypeError("with requestState: 'plain', state must be a string")
    }
    const remembers = this.#pending.size + this.#answers.size + this.#effects.size > 0
    if (!remembers && state === undefined && this.#callId === undefined) return undefined
    return this.#call.states.seal(
      this.#call,
      writeJournal({
        callId: this.callId,
        rounds: this.#rounds + 1,
        answers: this.#answers,
        effects: this.#effects,
        state,
      }),
    )
  }

  #refusePlain(): void {
    if (!this.#call.states.plain) return
    throw new TypeError(
      "with requestState: 'plain', a handler asks with inputRequired(): set keys instead",
    )
  }
}

function toResponses(value: unknown): Params {
  if (value === undefined) return {}
  if (isRecord(value)) return value
  throw new InvalidParamsError("'inputResponses' must be an object")
}
