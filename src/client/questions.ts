/**
 * Questions that a legacy server asks by request, while they are being answered.
 *
 * @module
 */
import type { JSONRPCRequest, JSONRPCResponse, RequestId } from '../protocol/jsonrpc.ts'
import { MAX_OPEN_QUESTIONS } from '../protocol/limits.ts'
import { ConnectionClosedError } from '../rpc/errors.ts'
import type { Answers } from './answers.ts'
import { ClientError } from './errors.ts'

/** What questions are answered with. */
export interface QuestionsParts {
  readonly answers: Answers
  /** Takes an answer to the server. */
  readonly send: (response: JSONRPCResponse) => Promise<void>
  readonly warn: (error: Error) => void
}

/** The open questions of one connection. */
export class Questions {
  readonly #parts: QuestionsParts
  readonly #open = new Map<RequestId, AbortController>()
  #count = 0
  #dropping = false

  constructor(parts: QuestionsParts) {
    this.#parts = parts
  }

  /**
   * Answers a question. One too many is dropped: to refuse it would cost a message too.
   *
   * @param request the question
   */
  async answer(request: JSONRPCRequest): Promise<void> {
    const { answers, send, warn } = this.#parts
    const { id, method } = request
    if (this.#count >= MAX_OPEN_QUESTIONS) return this.#drop(method)
    const controller = new AbortController()
    const { signal } = controller
    this.#open.set(id, controller)
    this.#count += 1
    try {
      const response = await answers.respond(request, { signal }, warn)
      if (!signal.aborted) await send(response)
    } catch (error) {
      if (error instanceof Error) warn(error)
    } finally {
      this.#open.delete(id)
      this.#count -= 1
      this.#dropping = false
    }
  }

  /**
   * The server no longer wants an answer.
   *
   * @param id the id of its question
   */
  cancel(id: RequestId): void {
    this.#open.get(id)?.abort(new ConnectionClosedError('The server cancelled its request'))
  }

  /** Nobody wants any answer any more. */
  close(): void {
    for (const controller of this.#open.values()) controller.abort(new ConnectionClosedError())
    this.#open.clear()
  }

  /** One complaint is enough for all that are too many at the same time. */
  #drop(method: string): void {
    if (this.#dropping) return
    this.#dropping = true
    this.#parts.warn(new ClientError(`${method} is not answered: too many questions`, { method }))
  }
}
