/**
 * What a client must have declared to be asked something.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/patterns/mrtr
 * @module
 */
import { declares, requiredCapability } from '../../protocol/capabilities.ts'
import type { ClientCapabilities, ClientFeature } from '../../protocol/capabilities.ts'
import { isRecord } from '../../protocol/jsonrpc.ts'
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

/**
 * What a client would have to declare besides what it did, as one capability object.
 *
 * @param needs what is needed
 * @param declared what the client declared
 * @returns undefined when nothing is missing
 */
export function missingFor(
  needs: readonly ClientFeature[],
  declared: ClientCapabilities,
): Record<string, unknown> | undefined {
  const missing = needs.filter((feature) => !declares(declared, feature))
  if (missing.length === 0) return undefined
  const merged: Record<string, unknown> = {}
  for (const [name, settings] of missing.flatMap((need) =>
    Object.entries(requiredCapability(need)),
  )) {
    const known = merged[name]
    merged[name] = isRecord(known) && isRecord(settings) ? { ...known, ...settings } : settings
  }
  return merged
}
