/**
 * The defaults a form declares, as an answer to it.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#requested-schema
 * @module
 */
import type { ElicitValue, RequestedSchema } from '../protocol/elicitation.ts'

/**
 * Fills a form with its declared defaults. Fields without one are left out.
 *
 * @param form the form a server asks for
 * @param given values that take precedence
 */
export function defaultsOf(
  form: RequestedSchema,
  given: Readonly<Record<string, ElicitValue>> = {},
): Record<string, ElicitValue> {
  const entries: [string, ElicitValue][] = []
  for (const [name, field] of Object.entries(form.properties)) {
    if (field.default !== undefined) entries.push([name, field.default])
  }
  return { ...Object.fromEntries(entries), ...given }
}
