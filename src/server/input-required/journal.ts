/**
 * What a call remembers between its rounds. The server keeps nothing: the journal travels sealed in
 * the client's `requestState`.
 *
 * @module
 */
import { MAX_JOURNAL_ENTRIES } from '../../protocol/limits.ts'
import { isRecord } from '../../protocol/jsonrpc.ts'
import type { Params } from '../../protocol/jsonrpc.ts'

/** An answer that was given, and a fingerprint of the question it answers. */
export interface JournaledAnswer {
  readonly question: string
  readonly result: Params
}

/** What a call remembers between its rounds. */
export interface Journal {
  readonly callId: string
  /** Rounds so far. */
  readonly rounds: number
  /** Fingerprints of the questions that the client is asked, so that each answer is to what was asked. */
  readonly asked: Map<string, string>
  readonly answers: Map<string, JournaledAnswer>
  /** What effects returned. */
  readonly effects: Map<string, unknown>
  /** What the handler itself keeps. */
  readonly state: unknown
}

/**
 * A journal as text.
 *
 * @throws {TypeError} if it has too many entries
 */
export function writeJournal(journal: Journal): string {
  const { callId, rounds, asked, answers, effects, state } = journal
  if (answers.size + effects.size > MAX_JOURNAL_ENTRIES) {
    throw new TypeError(`a call may remember at most ${MAX_JOURNAL_ENTRIES} answers and effects`)
  }
  return JSON.stringify({
    callId,
    rounds,
    asked: [...asked],
    answers: [...answers],
    // JSON would turn an effect that returned nothing into one that returned null.
    effects: Array.from(effects, ([key, value]) => (value === undefined ? [key] : [key, value])),
    state,
  })
}

/**
 * Reads a journal that {@link writeJournal} wrote.
 *
 * @returns undefined when the text is something else
 */
export function readJournal(text: string): Journal | undefined {
  const value: unknown = JSON.parse(text)
  if (!isRecord(value)) return undefined
  const { callId, rounds, asked, answers, effects, state } = value
  if (typeof callId !== 'string' || typeof rounds !== 'number') return undefined
  if (!isEntries(asked) || !isEntries(answers) || !isEntries(effects)) return undefined
  return {
    callId,
    rounds,
    asked: new Map(asked.filter(isTextEntry)),
    answers: new Map(answers.filter(isAnswerEntry)),
    effects: new Map(effects.map(([key, kept]) => [key, kept])),
    state,
  }
}

function isEntries(value: unknown): value is readonly (readonly [string, unknown?])[] {
  return (
    Array.isArray(value) &&
    value.every((entry) => Array.isArray(entry) && typeof entry[0] === 'string')
  )
}

function isTextEntry(entry: readonly [string, unknown?]): entry is readonly [string, string] {
  return typeof entry[1] === 'string'
}

function isAnswerEntry(
  entry: readonly [string, unknown?],
): entry is readonly [string, JournaledAnswer] {
  return (
    isRecord(entry[1]) && typeof entry[1]['question'] === 'string' && isRecord(entry[1]['result'])
  )
}
