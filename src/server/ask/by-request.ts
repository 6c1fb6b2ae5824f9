/**
 * Asking on the legacy wire: each question is a request of its own, sent while the call runs.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation
 * @module
 */
import { missingCapabilities } from '../../protocol/capabilities.ts'
import type { ClientCapabilities } from '../../protocol/capabilities.ts'
import { InvalidRequestError, McpError, REQUEST_TIMEOUT } from '../../protocol/errors.ts'
import type { Params } from '../../protocol/jsonrpc.ts'
import { MAX_ROUNDS } from '../../protocol/limits.ts'
import { featuresOf } from '../../protocol/versions.ts'
import type { RevisionFeatures } from '../../protocol/versions.ts'
import { RequestTimeoutError } from '../../rpc/errors.ts'
import { downgradeForm, isFormSchema } from '../../schema/form.ts'
import type { Call, ClientRequest, Outbox } from '../call.ts'
import { isInputRequired } from '../input-required/result.ts'
import type { InputRequired } from '../input-required/result.ts'
import { CallMemory, throughJson } from './call-memory.ts'
import { needsOf, Refusals, together } from './needs.ts'
import type { Asked, Asker, Question } from './question.ts'

/** Asks with requests on the stream of the call they belong to. */
export class RequestAsker implements Asker {
  readonly callId: string = crypto.randomUUID()
  /** Set by the shim that fulfils returned questions. */
  responses: Params = {}
  /** Set by the shim that fulfils returned questions. */
  state: unknown
  readonly #call: Call
  readonly #fulfils: boolean
  readonly #memory = new CallMemory()
  readonly #refusals = new Refusals()

  /**
   * @param call the call whose handler asks
   * @param fulfils whether questions that a handler returns are asked too: the `legacyShim` option
   */
  constructor(call: Call, fulfils: boolean) {
    this.#call = call
    this.#fulfils = fulfils
  }

  ask<Answer>(
    question: Question,
    read: (result: Params) => Answer | Promise<Answer>,
  ): Promise<Answer> {
    const send = async (): Promise<Params> => {
      const request = this.#way()
      this.#refuse([question])
      return request(this.#toRequest(question))
    }
    return this.#memory.ask(question, { send, read })
  }

  once(key: string, effect: () => unknown): Promise<unknown> {
    return this.#memory.once(key, effect)
  }

  async ping(timeoutMs: number | undefined): Promise<void> {
    await this.#way()({ method: 'ping', params: {}, timeoutMs })
  }

  /**
   * Fulfils the questions that a handler returned, and runs it again with the answers, so that it
   * need not know which generation its caller is of.
   */
  async settle(returned: unknown, again: () => Promise<unknown>): Promise<unknown> {
    let outcome = returned
    for (let round = 0; isInputRequired(outcome); round += 1) {
      if (!this.#fulfils) {
        throw new TypeError('a handler returned inputRequired(), and legacyShim is off')
      }
      if (round >= MAX_ROUNDS) throw new TypeError(`a call may ask in at most ${MAX_ROUNDS} rounds`)
      this.responses = await this.#fulfilled(outcome)
      this.state = throughJson(outcome.state, 'inputRequired: state')
      outcome = await again()
    }
    this.#memory.end()
    return outcome
  }

  caught(error: unknown): Promise<Asked> {
    this.#memory.end()
    return Promise.reject(this.#refusals.whole(error) ?? outcomeOf(error))
  }

  /** Asks everything at once, or nothing where something cannot be asked. */
  async #fulfilled({ requests = {} }: InputRequired): Promise<Params> {
    const questions = Object.entries(requests).map(([key, { method, params = {} }]) => ({
      key,
      method,
      params: { ...params },
    }))
    if (questions.length === 0) return {}
    const request = this.#way()
    this.#refuse(questions)
    const asked = questions.map((question) => this.#toRequest(question))
    const results = await Promise.all(asked.map((question) => request(question)))
    return Object.fromEntries(questions.map(({ key }, index) => [key, results[index]]))
  }

  /** @throws {InvalidRequestError} if the client cannot be asked */
  #way(): NonNullable<Outbox['request']> {
    const { request } = this.#call.outbox
    if (request !== undefined) return request
    throw new InvalidRequestError(
      'The client cannot be asked: it has no session, or takes no event stream',
    )
  }

  /** @throws {MissingRequiredClientCapabilityError} if the client or its revision lacks something */
  #refuse(questions: readonly Question[]): void {
    const { capabilities, revision } = this.#call.caller
    const able = abilities(capabilities, featuresOf(revision))
    const missing = missingCapabilities(together(questions.map(needsOf)), able)
    if (missing !== undefined) throw this.#refusals.refuse(missing)
  }

  #toRequest(question: Question): ClientRequest {
    const { method, timeoutMs } = question
    const features = featuresOf(this.#call.caller.revision)
    return { method, params: paramsFor(question, features), timeoutMs }
  }
}

/** That nobody answered in time is no failure of ours: the client may know it. */
function outcomeOf(error: unknown): unknown {
  if (!(error instanceof RequestTimeoutError)) return error
  return new McpError(REQUEST_TIMEOUT, error.message, { cause: error })
}

/**
 * Whatever an old client declares, it cannot do what its revision does not know; and before clients
 * could declare it, all that sample took context.
 */
function abilities(
  declared: ClientCapabilities,
  { elicitation, richElicitation }: RevisionFeatures,
): ClientCapabilities {
  if (richElicitation) return declared
  return {
    roots: declared.roots,
    sampling: declared.sampling && { context: {} },
    elicitation: elicitation ? declared.elicitation && {} : undefined,
  }
}

/** The parameters as the client's revision knows them. */
function paramsFor(question: Question, features: RevisionFeatures): Params {
  const { params, key } = question
  if (params['mode'] === 'url') {
    return { ...params, elicitationId: params['elicitationId'] ?? crypto.randomUUID() }
  }
  const { mode: _mode, requestedSchema, ...rest } = params
  if (!isFormSchema(requestedSchema) || features.richElicitation) return params
  const { form, lost } = downgradeForm(requestedSchema)
  if (lost.length === 0) return { ...rest, requestedSchema: form }
  throw new InvalidRequestError(`The client cannot be asked for ${lost.join(', ')} of '${key}'`)
}
