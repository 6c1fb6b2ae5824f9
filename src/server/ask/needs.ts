/**
 * What a client must have declared to be asked something.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 * @module
 */
import type { ClientCapabilities } from '../../protocol/capabilities.ts'
import { MissingRequiredClientCapabilityError } from '../../protocol/errors.ts'
import type { Params } from '../../protocol/jsonrpc.ts'
import type { QuestionMethod } from './question.ts'

/** What a question is, as far as it tells what it needs. */
interface Asking {
  readonly method: QuestionMethod
  readonly params: Params
}

/**
 * The capabilities that a question needs, as a client declares them.
 *
 * @param question what is asked, and how
 */
export function needsOf({ method, params }: Asking): ClientCapabilities {
  switch (method) {
    case 'elicitation/create':
      return { elicitation: params['mode'] === 'url' ? { url: {} } : { form: {} } }
    case 'sampling/createMessage':
      return { sampling: samplingNeeds(params) }
    case 'roots/list':
      return { roots: {} }
  }
}

function samplingNeeds({ tools, toolChoice, includeContext = 'none' }: Params): object {
  return {
    ...((tools !== undefined || toolChoice !== undefined) && { tools: {} }),
    ...(includeContext !== 'none' && { context: {} }),
  }
}

/**
 * Capabilities that are needed together, as one object.
 *
 * @param needs capabilities, each as a client declares them
 */
export function together(needs: readonly object[]): Params {
  const merged: Record<string, Params> = {}
  for (const [name, settings] of needs.flatMap(Object.entries)) {
    merged[name] = { ...merged[name], ...settings }
  }
  return merged
}

/** Refusals of questions that a client cannot answer. Those asked together name everything together. */
export class Refusals {
  readonly #together = new Map<unknown, Params[]>()
  #batch: Params[] | undefined

  /**
   * Refuses a question.
   *
   * @param missing what the client lacks
   * @returns what to throw
   */
  refuse(missing: Params): MissingRequiredClientCapabilityError {
    const batch = this.#batch ?? this.#begin()
    batch.push(missing)
    const refusal = new MissingRequiredClientCapabilityError(missing)
    this.#together.set(refusal, batch)
    return refusal
  }

  /**
   * A refusal with all that were made together with it.
   *
   * @param error anything thrown
   * @returns undefined when it is no refusal of ours
   */
  whole(error: unknown): MissingRequiredClientCapabilityError | undefined {
    const batch = this.#together.get(error)
    return batch && new MissingRequiredClientCapabilityError(together(batch))
  }

  /** What is asked before the handler can react is asked together. */
  #begin(): Params[] {
    const batch: Params[] = []
    this.#batch = batch
    queueMicrotask(() => {
      this.#batch = undefined
    })
    return batch
  }
}
