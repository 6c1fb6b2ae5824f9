/**
 * What a client must have declared to be asked something.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 * @module
 */
import { requiredCapability } from '../../protocol/capabilities.ts'
import type { ClientFeature } from '../../protocol/capabilities.ts'
import { MissingRequiredClientCapabilityError } from '../../protocol/errors.ts'
import type { Params } from '../../protocol/jsonrpc.ts'
import type { QuestionMethod } from './question.ts'

/**
 * The features that a question needs.
 *
 * @param method how it asks
 * @param params what it asks
 */
export function needsOf(method: QuestionMethod, params: Params): readonly ClientFeature[] {
  switch (method) {
    case 'elicitation/create':
      return [params['mode'] === 'url' ? 'elicitation.url' : 'elicitation.form']
    case 'sampling/createMessage':
      return samplingNeeds(params)
    case 'roots/list':
      return ['roots']
  }
}

function samplingNeeds({ tools, toolChoice, includeContext }: Params): readonly ClientFeature[] {
  const withTools = tools !== undefined || toolChoice !== undefined
  const withContext = includeContext !== undefined && includeContext !== 'none'
  return [
    'sampling',
    ...(withTools ? (['sampling.tools'] as const) : []),
    ...(withContext ? (['sampling.context'] as const) : []),
  ]
}

/** Refusals of questions that a client cannot answer. Those asked together name everything together. */
export class Refusals {
  readonly #together = new Map<unknown, ClientFeature[]>()
  #batch: ClientFeature[] | undefined

  /**
   * Refuses a question.
   *
   * @param missing what the client lacks
   * @returns what to throw
   */
  refuse(missing: readonly ClientFeature[]): MissingRequiredClientCapabilityError {
    const batch = this.#batch ?? this.#begin()
    batch.push(...missing)
    const refusal = refusalOf(missing)
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
    return batch === undefined ? undefined : refusalOf(batch)
  }

  /** What is asked before the handler can react is asked together. */
  #begin(): ClientFeature[] {
    const batch: ClientFeature[] = []
    this.#batch = batch
    queueMicrotask(() => {
      this.#batch = undefined
    })
    return batch
  }
}

/**
 * The error that names what a client lacks, as one capability object.
 *
 * @param missing what it lacks
 */
export function refusalOf(missing: readonly ClientFeature[]): MissingRequiredClientCapabilityError {
  const merged: Record<string, Record<string, unknown>> = {}
  for (const [name, settings] of missing.flatMap(capabilityEntries)) {
    merged[name] = { ...merged[name], ...settings }
  }
  return new MissingRequiredClientCapabilityError(merged)
}

function capabilityEntries(feature: ClientFeature): [string, Record<string, unknown>][] {
  return Object.entries(requiredCapability(feature))
}
