/**
 * The tools every peer serves, so that all of them do the same work.
 *
 * @module
 */
import * as z from 'zod'
import type { Setup } from './types.ts'

/** One tool, free of any SDK. */
export interface ToolSpec {
  readonly name: string
  readonly description: string
  readonly input: z.ZodObject | undefined
  readonly answer: (input: Readonly<Record<string, unknown>>) => string
}

/** The question of the `ask` tool. */
export const CONFIRMATION: z.ZodObject<{ yes: z.ZodBoolean }> = z.object({ yes: z.boolean() })

/** Arguments that satisfy the `schema` tool. */
const FIVE_FIELDS: Readonly<Record<string, unknown>> = {
  city: 'Oslo',
  days: 3,
  units: 'metric',
  detailed: true,
  tags: ['wind', 'rain'],
}

/** About 32 KiB of text in, the same out, twice over the wire in 64 KiB. */
const LONG_TEXT: string = 'The quick brown fox jumps over "the lazy dog" \u2013 again. '.repeat(
  1150,
)

/** The tools of a setup. */
export function toolsOf(setup: Setup): ToolSpec[] {
  return Array.from({ length: setup.tools }, (_, index) => toolAt(setup, index))
}

/** The name of the tool that is called. */
export function calledName(setup: Setup): string {
  return nameOf(setup.tools >> 1)
}

/** The arguments it is called with. */
export function calledArguments(setup: Setup): Readonly<Record<string, unknown>> {
  if (setup.tool === 'schema') return FIVE_FIELDS
  return setup.tool === 'echo' ? { text: LONG_TEXT } : {}
}

function nameOf(index: number): string {
  return `forecast_${index}`
}

function toolAt(setup: Setup, index: number): ToolSpec {
  const description = `${index}: ${'Weather for a city, with wind and rain. '.repeat(7)}`
  const base = { name: nameOf(index), description }
  if (setup.tool === 'plain') return { ...base, input: undefined, answer: () => '21 degrees' }
  if (setup.tool === 'ask') return { ...base, input: undefined, answer: () => 'Deployed' }
  if (setup.tool === 'echo') {
    return { ...base, input: z.object({ text: z.string() }), answer: ({ text }) => String(text) }
  }
  return { ...base, input: fiveFields(), answer: ({ city }) => `21 degrees in ${String(city)}` }
}

function fiveFields(): z.ZodObject {
  return z.object({
    city: z.string().describe('Name of the city'),
    days: z.number().int().min(1).max(14).describe('How many days ahead'),
    units: z.enum(['metric', 'imperial']).describe('Units of the answer'),
    detailed: z.boolean().describe('Whether to answer hour by hour'),
    tags: z.array(z.string()).describe('What to include'),
  })
}
