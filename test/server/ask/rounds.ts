/**
 * A client that drives the rounds of a modern call by hand, and a legacy one that is asked.
 *
 * @module
 */
import { createHandler } from '../../../src/http/handler.ts'
import type { Handler } from '../../../src/http/handler.ts'
import type { HandlerOptions } from '../../../src/http/options.ts'
import type { Call, ClientRequest } from '../../../src/server/call.ts'
import { RequestStates } from '../../../src/server/input-required/request-states.ts'
import { createNotifier } from '../../../src/server/notifier.ts'
import type { McpServer } from '../../../src/server/server.ts'
import type { LegacyRevision } from '../../../src/protocol/versions.ts'
import { call, isRecord, modern } from '../../support/index.ts'
import type { WireObject } from '../../support/index.ts'
import type { Answer } from '../../support/answer.ts'

/** A sealing key. */
export const KEY = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA'
/** Another one. */
export const OTHER_KEY = 'BBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBBA'

/** A client that can answer everything. */
export const ABLE = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {}, context: {} },
  roots: {},
}

/** Serves a server with a fixed key. */
export function sealed(server: McpServer, options: HandlerOptions = {}): Handler {
  return createHandler(server, {
    legacy: 'stateless',
    requestState: { keys: [KEY] },
    ...options,
  })
}

/** One round of a call. */
export interface Round {
  readonly answers?: unknown
  readonly state?: unknown
  readonly capabilities?: WireObject
  readonly id?: number
}

/**
 * Sends one round of a tool call.
 *
 * @param handler where to
 * @param tool the tool's name, or the name and its arguments
 * @param round what the round brings
 */
export function callTool(
  handler: Handler,
  tool: string | readonly [string, WireObject],
  round: Round = {},
): Promise<Answer> {
  const [name, args] = typeof tool === 'string' ? [tool, {}] : tool
  return send(handler, ['tools/call', { name, arguments: args }], round)
}

/**
 * Sends one round of any call.
 *
 * @param handler where to
 * @param asked the method and its parameters
 * @param round what the round brings
 */
export function send(
  handler: Handler,
  [method, params]: readonly [string, WireObject],
  { answers, state, capabilities = ABLE, id = 1 }: Round = {},
): Promise<Answer> {
  const more = {
    ...(answers === undefined ? {} : { inputResponses: answers }),
    ...(state === undefined ? {} : { requestState: state }),
  }
  return call(handler, modern(method, { ...params, ...more }, { capabilities, id }))
}

/** The questions of an interim result, by key. */
export function questionsOf(answer: Answer): Readonly<Record<string, WireObject>> {
  const requests = answer.result?.['inputRequests']
  return isRecord(requests) ? (requests as Record<string, WireObject>) : {}
}

/** The state of an interim result. */
export function stateOf(answer: Answer): unknown {
  return answer.result?.['requestState']
}

/** The text of a tool's result. */
export function textOf(answer: Answer | WireObject | undefined): string | undefined {
  const result = answer !== undefined && 'messages' in answer ? answer['result'] : answer
  const content = isRecord(result) ? result['content'] : undefined
  const first: unknown = Array.isArray(content) ? content[0] : undefined
  return isRecord(first) && typeof first['text'] === 'string' ? first['text'] : undefined
}

/** What came of a call that was driven to its end. */
export interface Driven {
  readonly final: Answer
  /** Every interim answer, in order. */
  readonly rounds: readonly Answer[]
}

/**
 * Drives a tool call to its end; each round goes to the next handler.
 *
 * @param handlers where to
 * @param tool the tool's name, or the name and its arguments
 * @param answers what is answered, by key
 */
export async function drive(
  handlers: readonly Handler[],
  tool: string | readonly [string, WireObject],
  answers: WireObject,
): Promise<Driven> {
  const rounds: Answer[] = []
  let round: Round = {}
  for (let turn = 0; turn < 40; turn += 1) {
    const handler = handlers[turn % handlers.length]
    if (handler === undefined) throw new Error('no handler')
    const answer = await callTool(handler, tool, { ...round, id: turn + 1 })
    if (answer.result?.['resultType'] !== 'input_required') return { final: answer, rounds }
    rounds.push(answer)
    const keys = Object.keys(questionsOf(answer))
    round = {
      answers: Object.fromEntries(keys.map((key) => [key, answers[key]])),
      state: stateOf(answer),
    }
  }
  throw new Error('the call never ends')
}

/** What a legacy client is like. */
export interface LegacyClient {
  readonly revision?: LegacyRevision
  readonly capabilities?: WireObject
  /** Answers a question; without it the client cannot be asked. */
  readonly answer?: (request: ClientRequest) => unknown
}

/** What came of a legacy call. */
export interface LegacyOutcome {
  readonly result: WireObject | undefined
  readonly error: WireObject | undefined
  readonly asked: readonly ClientRequest[]
}

/**
 * Calls a tool as a legacy client, whose answers come from a function.
 *
 * @param server the server
 * @param tool the tool's name, or the name and its arguments
 * @param client the client
 */
export async function callLegacy(
  server: McpServer,
  tool: string | readonly [string, WireObject],
  client: LegacyClient = {},
): Promise<LegacyOutcome> {
  const [name, args] = typeof tool === 'string' ? [tool, {}] : tool
  const asked: ClientRequest[] = []
  const { answer, capabilities = ABLE, revision = '2025-11-25' } = client
  const request = async (question: ClientRequest): Promise<WireObject> => {
    asked.push(question)
    return (await answer?.(question)) as WireObject
  }
  const described: Call = {
    id: 1,
    method: 'tools/call',
    params: { name, arguments: args },
    caller: server.core.legacy.identify({ revision, capabilities }, undefined),
    outbox: {
      signal: new AbortController().signal,
      notify: () => undefined,
      ...(answer === undefined ? {} : { request }),
    },
    notifier: createNotifier(async () => undefined),
    states: new RequestStates(),
    delivery: { changes: false, logging: false },
  }
  const { body } = await server.dispatcher.run(described)
  const message: unknown = JSON.parse(
    typeof body === 'string' ? body : new TextDecoder().decode(body),
  )
  const { result, error } = isRecord(message) ? message : {}
  return {
    asked,
    result: isRecord(result) ? result : undefined,
    error: isRecord(error) ? error : undefined,
  }
}
