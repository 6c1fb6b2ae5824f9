/**
 * Comparing what a request needs with what its client declared.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#client-capabilities
 * @module
 */
import type { ClientCapabilities } from '../protocol/capabilities.ts'
import { isRecord } from '../protocol/jsonrpc.ts'

/**
 * What is required and not declared, as one capability object. An empty `elicitation` declares the
 * form mode, and only that.
 *
 * @param required the capabilities needed, as a client declares them
 * @param declared the capabilities the client declared
 * @returns undefined when nothing is missing
 */
export function missingCapabilities(
  required: ClientCapabilities,
  declared: ClientCapabilities,
): Record<string, unknown> | undefined {
  const elicitation = declared.elicitation
  const impliesForm = isRecord(elicitation) && Object.keys(elicitation).length === 0
  return missing(required, impliesForm ? { ...declared, elicitation: { form: {} } } : declared)
}

function missing(required: object, declared: unknown): Record<string, unknown> | undefined {
  const found: Record<string, unknown> = {}
  for (const [key, wanted] of Object.entries(required)) {
    if (wanted === undefined || wanted === false) continue
    const has = isRecord(declared) && Object.hasOwn(declared, key) ? declared[key] : undefined
    if (has === undefined || has === false) found[key] = wanted
    else if (isRecord(wanted)) {
      const deeper = missing(wanted, has)
      if (deeper !== undefined) found[key] = deeper
    }
  }
  return Object.keys(found).length === 0 ? undefined : found
}
