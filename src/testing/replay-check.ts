/**
 * A check for handlers that ask: the same handler, run the way each generation of clients runs it.
 *
 * @module
 */
import { INTERNAL_ERROR } from '../protocol/errors.ts'
import type { Params } from '../protocol/jsonrpc.ts'
import { isRecord } from '../protocol/jsonrpc.ts'
import { MAX_REPLAY_ROUNDS } from '../protocol/limits.ts'
import type { McpServer } from '../server/server.ts'
import { ReplayRun } from './replay-run.ts'
import type { AskedQuestion, ReplayWorld } from './replay-run.ts'

/** What is called: a tool, a prompt or a resource. */
export type ReplayTarget =
  | { readonly tool: string; readonly arguments?: Params | undefined }
  | { readonly prompt: string; readonly arguments?: Params | undefined }
  | { readonly resource: string }

/** What {@link replayCheck} needs to know. */
export type ReplayCheckOptions = ReplayTarget &
  ReplayWorld & {
    /** Answers by the key of their question: results of `elicitation/create` and its siblings. */
    readonly answers?: Readonly<Record<string, unknown>> | undefined
    /**
     * Counters of effects by a name for them, for example `{ build: () => startBuild.mock.calls.length }`.
     * Each is read before and after a run.
     */
    readonly effects?: Readonly<Record<string, () => number>> | undefined
    /** What of a result has to be the same in both runs. @default everything but what is the wire's */
    readonly comparable?: ((result: Params) => unknown) | undefined
  }

/** What came of a handler that is safe to replay. */
export interface ReplayReport {
  /** Its final result. */
  readonly result: Params
  /** How often it was run again. */
  readonly rounds: number
}

interface Outcome {
  readonly outcome: Params
  readonly questions: readonly AskedQuestion[]
  readonly effects: Readonly<Record<string, number>>
  readonly rounds: number
}

/**
 * Runs a handler for a modern client, which replays it in every round, and for a legacy client, which
 * does not; and compares. No network, no client: questions are answered from `answers`.
 *
 * @param server the server
 * @param options what is called, how questions are answered, what counts as an effect
 * @throws {Error} if the runs differ: an effect that happened again on replay, a question that is not
 *   the same each time, another result, or no end. The message names every difference.
 * @example
 * ```ts
 * await replayCheck(server, {
 *   tool: 'deploy',
 *   arguments: { env: 'staging' },
 *   answers: { confirm: { action: 'accept', content: { yes: true } } },
 *   effects: { build: () => builds.length },
 * })
 * ```
 */
export async function replayCheck(
  server: McpServer,
  options: ReplayCheckOptions,
): Promise<ReplayReport> {
  const replayed = await counted(options, () => replay(server, options))
  const straight = await counted(options, () => runStraight(server, options, replayed.questions))
  const problems = [
    ...effectProblems(replayed, straight),
    ...questionProblems(replayed, straight),
    ...resultProblems(options, replayed.outcome, straight.outcome),
  ]
  if (problems.length > 0) throw new Error(`Not safe to replay:\n- ${problems.join('\n- ')}`)
  return { result: replayed.outcome, rounds: replayed.rounds }
}

async function counted(
  { effects = {} }: ReplayCheckOptions,
  run: () => Promise<Omit<Outcome, 'effects'>>,
): Promise<Outcome> {
  const before = Object.entries(effects).map(([name, count]) => [name, count()] as const)
  const outcome = await run()
  const counts = before.map(([name, count]) => [name, (effects[name]?.() ?? 0) - count])
  return { ...outcome, effects: Object.fromEntries(counts) }
}

async function replay(
  server: McpServer,
  options: ReplayCheckOptions,
): Promise<Omit<Outcome, 'effects'>> {
  const run = new ReplayRun(server, methodOf(options), options)
  const questions: AskedQuestion[] = []
  let more: Params = {}
  for (let rounds = 0; rounds <= MAX_REPLAY_ROUNDS; rounds += 1) {
    const outcome = await run.modern({ ...requestOf(options), ...more })
    if (outcome['resultType'] !== 'input_required') return { outcome, questions, rounds }
    const { inputRequests, requestState } = outcome
    const asked = Object.entries(isRecord(inputRequests) ? inputRequests : {})
    for (const [key, request] of asked) if (isRecord(request)) questions.push({ key, request })
    const given = asked.map(([key]) => [key, answerTo(options, key)])
    more = { inputResponses: Object.fromEntries(given), requestState }
  }
  throw new Error(
    `Not safe to replay:\n- the handler asks in more than ${MAX_REPLAY_ROUNDS} rounds`,
  )
}

/** Legacy questions have no key: one is found by its text, or else by its turn. */
async function runStraight(
  server: McpServer,
  options: ReplayCheckOptions,
  known: readonly AskedQuestion[],
): Promise<Omit<Outcome, 'effects'>> {
  const left = [...known]
  const questions: AskedQuestion[] = []
  const run = new ReplayRun(server, methodOf(options), options)
  const outcome = await run.legacy(requestOf(options), (request) => {
    const same = left.findIndex((asked) => isSame(asked.request, request))
    const next = left.findIndex((asked) => asked.request['method'] === request['method'])
    const [match] = left.splice(same < 0 ? next : same, same < 0 && next < 0 ? 0 : 1)
    questions.push({ key: match?.key ?? '', request })
    return match === undefined ? undefined : answerTo(options, match.key)
  })
  return { outcome, questions, rounds: 0 }
}

function answerTo({ answers = {} }: ReplayCheckOptions, key: string): unknown {
  if (Object.hasOwn(answers, key)) return answers[key]
  throw new TypeError(`replayCheck: 'answers' has none for the question '${key}'`)
}

function methodOf(target: ReplayTarget): string {
  if ('tool' in target) return 'tools/call'
  return 'prompt' in target ? 'prompts/get' : 'resources/read'
}

function requestOf(options: ReplayCheckOptions): Params {
  if ('tool' in options) return { name: options.tool, arguments: options.arguments ?? {} }
  if ('prompt' in options) return { name: options.prompt, arguments: options.arguments ?? {} }
  return { uri: options.resource }
}

function effectProblems(replayed: Outcome, straight: Outcome): readonly string[] {
  return Object.entries(straight.effects).flatMap(([name, once]) => {
    const times = replayed.effects[name] ?? 0
    if (times === once) return []
    const counts = `happened ${once} time(s) in one run and ${times} time(s) over ${replayed.rounds} replays`
    return [`effect '${name}' ${counts}: put it in ctx.once()`]
  })
}

/** A question may hold what an effect returned; that it is the same in each round is the server's to check. */
function questionProblems(replayed: Outcome, straight: Outcome): readonly string[] {
  const failed = hasFailed(replayed.outcome)
  const changed = straight.questions.flatMap(({ key, request }) => {
    const other = replayed.questions.find((asked) => asked.key === key)?.request
    if (other === undefined) return [`a question was only asked without replay: ${textOf(request)}`]
    const texts = `${textOf(other)} and ${textOf(request)}`
    return failed && !isSame(other, request) ? [`question '${key}' changes: ${texts}`] : []
  })
  const gone = replayed.questions.filter(
    ({ key }) => !straight.questions.some((asked) => asked.key === key),
  )
  return [...changed, ...gone.map(({ key }) => `question '${key}' was only asked on replay`)]
}

function resultProblems(
  { comparable = withoutWire }: ReplayCheckOptions,
  replayed: Params,
  straight: Params,
): readonly string[] {
  const [left, right] = [textOf(comparable(replayed)), textOf(comparable(straight))]
  if (hasFailed(replayed)) return ['the handler fails on replay: onError has the reason']
  return left === right ? [] : [`the results differ: ${left} on replay and ${right} without`]
}

/** What a handler decides: not what each wire adds, nor how it writes structured content. */
function withoutWire({ content, isError, messages, description, contents, error }: Params): Params {
  return { content, isError, messages, description, contents, error }
}

/** What is masked to a client is no outcome to agree on. */
function hasFailed({ isError, content, error }: Params): boolean {
  if (isRecord(error)) return error['code'] === INTERNAL_ERROR
  const [first]: readonly unknown[] = Array.isArray(content) ? content : []
  return isError === true && isRecord(first) && first['text'] === 'Internal error'
}

/** The id of a page belongs to one wire only. */
function isSame(left: Params, right: Params): boolean {
  return textOf(withoutId(left)) === textOf(withoutId(right))
}

function withoutId({ method, params }: Params): Params {
  const { elicitationId: _id, ...asked } = isRecord(params) ? params : {}
  return { method, params: asked }
}

function textOf(value: unknown): string {
  return JSON.stringify(value)
}
