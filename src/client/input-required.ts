/**
 * Drives a call over the rounds of questions it takes: answers them all with the registered
 * handlers, sends the answers with the server's state, and stops where a loop begins.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/multi-round-trip
 * @module
 */
import { isInputRequired } from '../protocol/input-required.ts'
import { isRecord } from '../protocol/jsonrpc.ts'
import type { Params } from '../protocol/jsonrpc.ts'
import { MAX_OPEN_QUESTIONS, MAX_STATE_RETRY_MS, STATE_RETRY_MS } from '../protocol/limits.ts'
import type { Clock } from '../shared/clock.ts'
import type { Answers } from './answers.ts'
import { InputRequiredError, RequestRejected } from './errors.ts'
import { sleep } from './sleep.ts'

/** What one round adds to the original parameters. */
export interface RoundInput {
  readonly inputResponses?: Readonly<Record<string, unknown>> | undefined
  readonly requestState?: string | undefined
}

/**
 * What a round adds, without the members that have no value: sent, even as nothing, they would mean
 * something.
 *
 * @param input anything that has them
 */
export function roundInput({ inputResponses, requestState }: RoundInput): RoundInput {
  return {
    ...(inputResponses === undefined ? {} : { inputResponses }),
    ...(requestState === undefined ? {} : { requestState }),
  }
}

/** A call that may be answered with questions. */
export interface RoundsCall {
  /** Names the call in errors. */
  readonly method: string
  /** Sends one round. */
  readonly send: (input: RoundInput) => Promise<Params>
  /** What the first round carries, when the call goes on from a former one. */
  readonly first: RoundInput
  /** Throws at the first question instead of answering it. */
  readonly manual: boolean
  readonly maxRounds: number
  readonly answers: Answers
  readonly signal: AbortSignal
  readonly clock: Clock
}

/**
 * Sends a call and answers its questions until it is complete.
 *
 * @param call the call and how to answer
 * @returns the complete result, and whether it took more than one round
 * @throws {InputRequiredError} with the raw result: in manual mode, when a question cannot be
 *   answered, and after too many rounds
 */
export async function driveRounds(
  call: RoundsCall,
): Promise<{ readonly result: Params; readonly rounds: number }> {
  let input = call.first
  let stateOnly = 0
  for (let rounds = 1; ; rounds += 1) {
    const result = await call.send(input)
    if (!isInputRequired(result)) return { result, rounds }
    const { inputRequests, requestState: state } = result
    const requestState = readState(call, result, state)
    if (call.manual)
      throw required(call, result, 'manual mode leaves the answer to the application')
    if (rounds >= call.maxRounds)
      throw required(call, result, `it still asks after ${rounds} rounds`)
    if (inputRequests === undefined) await sleep(backOff((stateOnly += 1)), call.signal, call.clock)
    const inputResponses =
      inputRequests === undefined ? undefined : await answerAll(call, result, inputRequests)
    // Each round carries its own state and nothing else: what it leaves out is left out in the retry.
    input = roundInput({ inputResponses, requestState })
  }
}

function readState(call: RoundsCall, result: Params, state: unknown): string | undefined {
  if (state !== undefined && typeof state !== 'string')
    throw required(call, result, 'its requestState is not a string')
  const questions = result['inputRequests']
  const asks = isRecord(questions) && Object.keys(questions).length > 0
  if (questions !== undefined && !isRecord(questions))
    throw required(call, result, 'its inputRequests are not an object')
  if (asks && Object.keys(questions).length > MAX_OPEN_QUESTIONS)
    throw required(call, result, `it asks more than ${MAX_OPEN_QUESTIONS} questions`)
  if (state === undefined && !asks) throw required(call, result, 'it asks nothing and has no state')
  return state
}

async function answerAll(
  call: RoundsCall,
  result: Params,
  questions: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>> {
  const controller = new AbortController()
  const signal = AbortSignal.any([call.signal, controller.signal])
  try {
    const entries = Object.entries(questions)
    const answers = await Promise.all(
      entries.map(([, question]) => answerOne(call, result, { question, signal })),
    )
    call.signal.throwIfAborted()
    return Object.fromEntries(entries.map(([key], index) => [key, answers[index]]))
  } finally {
    // When one question fails, nobody needs the answers to the others.
    controller.abort()
  }
}

async function answerOne(
  call: RoundsCall,
  result: Params,
  { question, signal }: { readonly question: unknown; readonly signal: AbortSignal },
): Promise<Params> {
  const method = isRecord(question) ? question['method'] : undefined
  const params = isRecord(question) ? (question['params'] ?? {}) : undefined
  if (typeof method !== 'string' || !isRecord(params))
    throw required(call, result, 'one of its questions is no question')
  if (!EMBEDDABLE.includes(method) || !call.answers.has(method))
    throw required(call, result, `nobody here answers ${method}`)
  try {
    return await call.answers.answer(method, params, { signal })
  } catch (cause) {
    call.signal.throwIfAborted()
    if (cause instanceof RequestRejected && method === 'elicitation/create')
      return { action: 'decline' }
    // There is no way to answer with an error, and the server is not waiting.
    throw required({ ...call, cause }, result, `${method} could not be answered`)
  }
}

const EMBEDDABLE: readonly string[] = ['elicitation/create', 'sampling/createMessage', 'roots/list']

function required(
  { method, cause }: { readonly method: string; readonly cause?: unknown },
  result: Params,
  why: string,
): InputRequiredError {
  return new InputRequiredError(method, why, { result, cause })
}

function backOff(count: number): number {
  return Math.min(STATE_RETRY_MS * 2 ** (count - 1), MAX_STATE_RETRY_MS)
}
