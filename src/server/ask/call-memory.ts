/**
 * What one call has asked and done so far, by key. The same in both generations of the protocol, so
 * that a handler meets the same rules in both.
 *
 * @module
 */
import type { Params } from '../../protocol/jsonrpc.ts'
import { canonicalJson } from '../../shared/canonical-json.ts'
import { fingerprint } from '../../shared/fingerprint.ts'
import type { Journal } from '../input-required/journal.ts'
import type { Question } from './question.ts'

/** Steps in which code that meets a failure comes to an end: more levels than handlers nest. */
const STEPS = 64

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

interface Asked {
  readonly question: string
  readonly result: Promise<Params>
}

interface Failure {
  /** When its question was asked, among those of its call. */
  readonly turn: number
  readonly reason: unknown
  readonly reject: (reason: unknown) => void
}

/** How an answer is got, and read. */
export interface Answering<Answer> {
  /** Gets the client's result; called once for each key. */
  readonly send: (mark: string) => Promise<Params>
  /** Reads it, as whoever asks wants it. */
  readonly read: (result: Params) => Answer | Promise<Answer>
}

/** The questions and effects of one call. */
export class CallMemory {
  /** Answers, with a fingerprint of their question. */
  readonly answers: Journal['answers']
  /** What effects returned. */
  readonly effects: Journal['effects']
  readonly #earlier: Journal['asked']
  readonly #asked = new Map<string, Asked>()
  readonly #running = new Map<string, Promise<unknown>>()
  #failures: readonly Failure[] = []
  #turns = 0
  #ended = false
  #unwound = false

  /** @param earlier what earlier rounds of the call left */
  constructor(earlier: Partial<Pick<Journal, 'asked' | 'answers' | 'effects'>> = {}) {
    this.#earlier = earlier.asked ?? new Map()
    this.answers = earlier.answers ?? new Map()
    this.effects = earlier.effects ?? new Map()
  }

  /** Whether the handler has met a question without an answer. */
  get unwound(): boolean {
    return this.#unwound
  }

  /**
   * The answer to a question; one that was asked already is not asked again.
   *
   * @throws {TypeError} if the key belongs to another question
   */
  async ask<Answer>(question: Question, { send, read }: Answering<Answer>): Promise<Answer> {
    this.#turns += 1
    const turn = this.#turns
    try {
      return await read(await this.#resultOf(question, send))
    } catch (error) {
      return this.#fail(turn, error)
    }
  }

  /**
   * Runs an effect, unless it ran before. One that failed left nothing behind, and runs again.
   *
   * @throws {TypeError} if it returns what JSON cannot hold
   */
  once(key: string, effect: () => unknown): Promise<unknown> {
    if (this.effects.has(key)) return Promise.resolve(this.effects.get(key))
    const running = this.#running.get(key) ?? this.#run(key, effect)
    this.#running.set(key, running)
    return running
  }

  /** Settles when no effect is running: what is remembered then is all that happened. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) {
      await Promise.allSettled(this.#running.values())
      // What waited for an effect may now ask, or start the next.
      await steps()
    }
  }

  /** The handler has ended: what is still open has nobody to tell. */
  end(): void {
    this.#ended = true
  }

  #resultOf(question: Question, send: Answering<unknown>['send']): Promise<Params> {
    const { key } = question
    const mark = markOf(question)
    const asked = this.#asked.get(key)
    if (asked !== undefined && asked.question !== mark) {
      throw new TypeError(`the key '${key}' already belongs to another question of this call`)
    }
    const earlier = this.answers.get(key)?.question ?? this.#earlier.get(key) ?? mark
    if (earlier !== mark) {
      throw new TypeError(
        `question '${key}' is not what it was in an earlier round: a handler must ask the same each time it runs`,
      )
    }
    const result = asked?.result ?? send(mark)
    this.#asked.set(key, { question: mark, result })
    return result
  }

  async #run(key: string, effect: () => unknown): Promise<unknown> {
    try {
      // Not at once: what runs has to be known before it can end.
      await Promise.resolve()
      const kept = throughJson(await effect(), `once '${key}'`)
      this.effects.set(key, kept)
      return kept
    } finally {
      this.#running.delete(key)
    }
  }

  /**
   * Tells a failure when those before it have had their effect, and never once the handler has ended:
   * a failure that nobody waits for any more would count as an unhandled rejection, and end the process.
   */
  #fail(turn: number, reason: unknown): Promise<never> {
    const { promise, reject } = Promise.withResolvers<never>()
    this.#failures = [...this.#failures, { turn, reason, reject }].toSorted(inOrder)
    if (this.#failures.length === 1) void this.#tell()
    return promise
  }

  async #tell(): Promise<void> {
    while (this.#failures.length > 0) {
      await steps()
      if (this.#ended) return
      const [failure, ...later] = this.#failures
      this.#failures = later
      this.#unwound ||= failure?.reason instanceof Unanswered
      failure?.reject(failure.reason)
    }
  }
}

/**
 * A value as it is after a journey through the client, so that a handler sees the same in every round.
 *
 * @param value what a handler wants to keep
 * @param subject what it is, for the message
 * @throws {TypeError} if JSON cannot hold it
 */
export function throughJson(value: unknown, subject: string): unknown {
  if (value === undefined) return undefined
  const text = JSON.stringify(value)
  if (text === undefined) throw new TypeError(`${subject} returned what JSON cannot hold`)
  return JSON.parse(text)
}

/** Recognizes a question; the id of a page is no part of it, because only some clients get one. */
function markOf({ method, params }: Question): string {
  const { elicitationId: _id, ...asked } = params
  return fingerprint(canonicalJson([method, asked]))
}

/** What makes asking pointless goes before what can still be asked; otherwise first asked, first told. */
function inOrder(a: Failure, b: Failure): number {
  const open = Number(a.reason instanceof Unanswered) - Number(b.reason instanceof Unanswered)
  return open === 0 ? a.turn - b.turn : open
}

async function steps(): Promise<void> {
  for (let step = 0; step < STEPS; step += 1) await Promise.resolve()
}
