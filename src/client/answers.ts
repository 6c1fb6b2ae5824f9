/**
 * Answers to a server's questions. One registration serves real requests on any stream as well as
 * questions embedded in a result.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation
 * @module
 */
import type { ClientCapabilities } from '../protocol/capabilities.ts'
import type {
  ElicitRequestFormParams,
  ElicitRequestParams,
  ElicitResult,
} from '../protocol/elicitation.ts'
import {
  errorResponse,
  InvalidParamsError,
  McpError,
  MethodNotFoundError,
  REQUEST_REJECTED,
  toMcpError,
} from '../protocol/errors.ts'
import { isRecord } from '../protocol/jsonrpc.ts'
import type { JSONRPCRequest, JSONRPCResponse, Params } from '../protocol/jsonrpc.ts'
import type { ListRootsResult, Root } from '../protocol/roots.ts'
import type { CreateMessageRequestParams, CreateMessageResult } from '../protocol/sampling.ts'
import { defaultsOf } from '../schema/form-defaults.ts'
import { RequestRejected } from './errors.ts'

/** What a handler of a question has at hand. */
export interface QuestionContext {
  /** Fires when the server no longer wants the answer, or the call it belongs to is over. */
  readonly signal: AbortSignal
}

/**
 * Asks the user. A form that is accepted is completed with its declared defaults. For a URL, show it
 * whole, ask for consent, and never fetch it beforehand.
 */
export type ElicitationHandler<Question = ElicitRequestParams> = (
  question: Question,
  context: QuestionContext,
) => ElicitResult | Promise<ElicitResult>

/** What a handler is asked, given the modes it was registered for: forms alone, unless it takes pages. */
export type QuestionIn<Modes extends ElicitationModes> = Modes extends { readonly url: true }
  ? ElicitRequestParams
  : ElicitRequestFormParams

/** The forms of elicitation the application can show. */
export interface ElicitationModes {
  /** Forms. Default true. */
  readonly form?: boolean | undefined
  /** Pages the user visits. Default false. */
  readonly url?: boolean | undefined
}

/** Asks the model. Throw `RequestRejected` when the user says no. */
export type SamplingHandler = (
  question: CreateMessageRequestParams,
  context: QuestionContext,
) => CreateMessageResult | Promise<CreateMessageResult>

/** The parts of sampling the application can do. */
export interface SamplingModes {
  /** The model may call tools. Default false. */
  readonly tools?: boolean | undefined
  /** `includeContext` is honoured. Default false. */
  readonly context?: boolean | undefined
}

/** Lists the roots; each `uri` is a `file:` URI. */
export type RootsHandler = (context: QuestionContext) => readonly Root[] | Promise<readonly Root[]>

/** Answers a question of any method. */
export type QuestionHandler = (params: Params, context: QuestionContext) => unknown

/** Every question the client can answer. */
export class Answers {
  readonly #handlers = new Map<string, QuestionHandler>()
  #declared: ClientCapabilities = {}

  /** What the registered handlers amount to. */
  get capabilities(): ClientCapabilities {
    return this.#declared
  }

  /** Whether there is anything a server may ask. */
  get any(): boolean {
    return this.#handlers.size > 0
  }

  /** Registers the handler of `elicitation/create`. */
  elicitation<Modes extends ElicitationModes>(
    handler: ElicitationHandler<QuestionIn<Modes>>,
    modes?: Modes,
  ): void {
    const { form = true, url = false }: ElicitationModes = modes ?? {}
    if (!form && !url) throw new TypeError('onElicitation needs form or url')
    this.#declare({ elicitation: { form: form ? {} : undefined, url: url ? {} : undefined } })
    this.#handlers.set('elicitation/create', async (params, context) => {
      const question = readQuestion<Modes>(params, { form, url })
      return completed(question, await handler(question, context))
    })
  }

  /** Registers the handler of `sampling/createMessage`. */
  sampling(handler: SamplingHandler, modes: SamplingModes = {}): void {
    const { tools = false, context: includes = false } = modes
    this.#declare({
      sampling: { tools: tools ? {} : undefined, context: includes ? {} : undefined },
    })
    this.#handlers.set('sampling/createMessage', (params, context) => {
      if (!isSampling(params)) throw new InvalidParamsError('messages and maxTokens are required')
      if (!tools && (params.tools ?? params.toolChoice) !== undefined)
        throw new InvalidParamsError('This client did not declare sampling.tools')
      return handler(params, context)
    })
  }

  /** Registers the handler of `roots/list`. */
  roots(handler: RootsHandler): void {
    this.#declare({ roots: {} })
    this.#handlers.set('roots/list', async (_params, context): Promise<ListRootsResult> => {
      const roots = await handler(context)
      const stray = roots.find(({ uri }) => !uri.startsWith('file://'))
      if (stray !== undefined) throw new TypeError(`A root must be a file:// URI, not ${stray.uri}`)
      return { roots }
    })
  }

  /** Registers the handler of any other method, or replaces one. */
  method(method: string, handler: QuestionHandler): void {
    if (method === 'sampling/createMessage') this.#declare({ sampling: {} })
    if (method === 'roots/list') this.#declare({ roots: {} })
    if (method === 'elicitation/create') this.#declare({ elicitation: { form: {} } })
    this.#handlers.set(method, handler)
  }

  /** Whether a question of this method can be answered. */
  has(method: string): boolean {
    return this.#handlers.has(method)
  }

  /**
   * Answers one question.
   *
   * @param method what is asked
   * @param params its parameters
   * @param context what the handler has at hand
   * @throws {MethodNotFoundError} when nobody answers that; else what the handler throws
   */
  async answer(method: string, params: Params, context: QuestionContext): Promise<Params> {
    const handler = this.#handlers.get(method)
    if (handler === undefined) throw new MethodNotFoundError(method)
    const result = await handler(params, context)
    if (isRecord(result)) return result
    throw new TypeError(`The handler of ${method} must return an object`)
  }

  /**
   * Answers a legacy server's request. Never rejects: what goes wrong is the answer.
   *
   * @param request the question
   * @param context what the handler has at hand
   * @param report told of errors that the server only learns to be internal
   */
  async respond(
    { id, method, params }: JSONRPCRequest,
    context: QuestionContext,
    report: (error: Error) => void,
  ): Promise<JSONRPCResponse> {
    try {
      const result = method === 'ping' ? {} : await this.answer(method, params ?? {}, context)
      return { jsonrpc: '2.0', id, result }
    } catch (thrown) {
      const error = wireError(thrown)
      if (error.cause instanceof Error) report(error.cause)
      return errorResponse(id, error)
    }
  }

  #declare(capabilities: ClientCapabilities): void {
    this.#declared = { ...this.#declared, ...capabilities }
  }
}

function wireError(thrown: unknown): McpError {
  if (thrown instanceof RequestRejected) return new McpError(REQUEST_REJECTED, thrown.message)
  return toMcpError(thrown)
}

function readQuestion<Modes extends ElicitationModes>(
  params: Params,
  declared: Readonly<Record<'form' | 'url', boolean>>,
): QuestionIn<Modes> {
  const { mode = 'form' } = params
  if (mode !== 'form' && mode !== 'url')
    throw new InvalidParamsError(`This client does not know the elicitation mode ${String(mode)}`)
  if (!declared[mode])
    throw new InvalidParamsError(`This client did not declare elicitation.${mode}`)
  if (isQuestion<Modes>(params, mode)) return params
  throw new InvalidParamsError(
    mode === 'url' ? 'message and url are required' : 'message and requestedSchema are required',
  )
}

/** Only called for a mode that was declared, which is what the modes say. */
function isQuestion<Modes extends ElicitationModes>(
  params: Params,
  mode: 'form' | 'url',
): params is Params & QuestionIn<Modes> {
  const { message, url, requestedSchema: form } = params
  if (typeof message !== 'string') return false
  if (mode === 'url') return typeof url === 'string' && URL.canParse(url)
  return isRecord(form) && isRecord(form['properties']) && isRecords(form['properties'])
}

function isRecords(fields: Readonly<Record<string, unknown>>): boolean {
  return Object.values(fields).every(isRecord)
}

function isSampling(params: Params): params is Params & CreateMessageRequestParams {
  return Array.isArray(params['messages']) && typeof params['maxTokens'] === 'number'
}

function completed(question: ElicitRequestParams, answer: ElicitResult): ElicitResult {
  if (answer.action !== 'accept') return { action: answer.action }
  if (question.mode === 'url') return answer
  return { ...answer, content: defaultsOf(question.requestedSchema, answer.content) }
}
