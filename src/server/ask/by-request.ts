/**
 * Asking on the legacy wire: each question is a request of its own, sent while the call runs.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/client/elicitation
 * @module
 */
import type { ClientFeature } from '../../protocol/capabilities.ts'
import { InvalidRequestError, MissingRequiredClientCapabilityError } from '../../protocol/errors.ts'
import type { Params } from '../../protocol/jsonrpc.ts'
import { featuresOf } from '../../protocol/versions.ts'
import type { RevisionFeatures } from '../../protocol/versions.ts'
import { downgradeForm, isFormSchema } from '../../schema/form.ts'
import { MAX_ROUNDS } from '../../protocol/limits.ts'
import type { Call } from '../call.ts'
import { isInputRequired } from '../input-required/result.ts'
import type { InputRequired } from '../input-required/result.ts'
import { missingFor, needsOf } from './needs.ts'
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
  readonly #effects = new Map<string, Promise<unknown>>()

  /**
   * @param call the call whose handler asks
   * @param fulfils whether questions that a handler returns are asked too: the `legacyShim` option
   */
  constructor(call: Call, fulfils: boolean) {
    this.#call = call
    this.#fulfils = fulfils
  }

  async ask(question: Question): Promise<Params> {
    const { caller, outbox } = this.#call
    const features = featuresOf(caller.revision)
    const needs = needsOf(question.method, question.params)
    const missing = unknownTo(features, needs) ?? missingFor(needs, caller.capabilities)
    if (missing !== undefined) throw new MissingRequiredClientCapabilityError(missing)
    if (outbox.request === undefined) throw notAskable()
    const { method, timeoutMs } = question
    return outbox.request({ method, params: paramsFor(question, features), timeoutMs })
  }

  async ping(timeoutMs: number | undefined): Promise<void> {
    const { outbox } = this.#call
    if (outbox.request === undefined) throw notAskable()
    await outbox.request({ method: 'ping', params: {}, timeoutMs })
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
      const asking = questionsOf(outcome).map(async (question) => [
        question.key,
        await this.ask(question),
      ])
      this.responses = Object.fromEntries(await Promise.all(asking))
      this.state = outcome.state
      outcome = await again()
    }
    return outcome
  }

  caught(error: unknown): Promise<Asked> {
    return Promise.reject(error)
  }

  once(key: string, effect: () => unknown): Promise<unknown> {
    const running = this.#effects.get(key) ?? Promise.resolve().then(effect)
    this.#effects.set(key, running)
    return running
  }
}

/** The questions that a handler returned, asked one by one. */
function questionsOf(returned: InputRequired): readonly Question[] {
  return Object.entries(returned.requests ?? {}).map(([key, { method, params = {} }]) => ({
    key,
    method,
    params: { ...params },
  }))
}

/** Whatever an old client declares, it cannot do what its revision does not know. */
function unknownTo(
  features: RevisionFeatures,
  needs: readonly ClientFeature[],
): Record<string, unknown> | undefined {
  const rich = needs.filter((need) => need === 'elicitation.url' || need === 'sampling.tools')
  if (!features.richElicitation && rich.length > 0) return missingFor(rich, {})
  const elicits = needs.filter((need) => need === 'elicitation.form')
  return features.elicitation || elicits.length === 0 ? undefined : missingFor(elicits, {})
}

/** The parameters as the client's revision knows them. */
function paramsFor(question: Question, features: RevisionFeatures): Params {
  const { params, key } = question
  if (params['mode'] === 'url') {
    return features.elicitationIds ? { elicitationId: crypto.randomUUID(), ...params } : params
  }
  const form = params['requestedSchema']
  if (!isFormSchema(form) || features.richElicitation) return params
  const old = { defaults: false, titledEnums: false, multiSelect: false, dialect: false }
  const { form: requestedSchema, lost } = downgradeForm(form, old)
  if (lost.length === 0) return { ...params, requestedSchema }
  throw new InvalidRequestError(`The client cannot be asked for ${lost.join(', ')} of '${key}'`)
}

function notAskable(): InvalidRequestError {
  return new InvalidRequestError(
    'The client cannot be asked: it has no session, or takes no event stream',
  )
}
