/**
 * Builders of the five kinds of choice in an elicitation form.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#requested-schema
 * @module
 */
import type {
  LegacyTitledEnumSchema,
  TitledMultiSelectEnumSchema,
  TitledOption,
  TitledSingleSelectEnumSchema,
  UntitledMultiSelectEnumSchema,
  UntitledSingleSelectEnumSchema,
} from '../protocol/elicitation.ts'

/** What every choice may say. */
export interface ChoiceOptions {
  readonly title?: string | undefined
  readonly description?: string | undefined
}

/** What a choice of one may say. */
export interface SingleSelectOptions extends ChoiceOptions {
  /** The value chosen at first; an empty one is kept. */
  readonly default?: string | undefined
}

/** What a choice of several may say. */
export interface MultiSelectOptions extends ChoiceOptions {
  /** The values chosen at first; an empty list is kept. */
  readonly default?: readonly string[] | undefined
  readonly minItems?: number | undefined
  readonly maxItems?: number | undefined
}

/** Titles by value. */
export type Titles = Readonly<Record<string, string>>

/**
 * Builds a choice of one.
 *
 * @param values what can be chosen
 */
export function singleSelect(
  values: readonly string[],
  options: SingleSelectOptions = {},
): UntitledSingleSelectEnumSchema {
  return { type: 'string', enum: values, ...options }
}

/**
 * Builds a choice of several.
 *
 * @param values what can be chosen
 */
export function multiSelect(
  values: readonly string[],
  options: MultiSelectOptions = {},
): UntitledMultiSelectEnumSchema {
  return { type: 'array', items: { type: 'string', enum: values }, ...options }
}

/**
 * Builds a choice of one whose values have titles.
 *
 * @param titles titles by value
 */
export function titledSingleSelect(
  titles: Titles,
  options: SingleSelectOptions = {},
): TitledSingleSelectEnumSchema {
  return { type: 'string', oneOf: toOptions(titles), ...options }
}

/**
 * Builds a choice of several whose values have titles.
 *
 * @param titles titles by value
 */
export function titledMultiSelect(
  titles: Titles,
  options: MultiSelectOptions = {},
): TitledMultiSelectEnumSchema {
  return { type: 'array', items: { anyOf: toOptions(titles) }, ...options }
}

/**
 * Builds a choice of one with titles beside the values, the form that clients of 2025-06-18 know.
 *
 * @param titles titles by value
 */
export function legacyTitledSelect(
  titles: Titles,
  options: SingleSelectOptions = {},
): LegacyTitledEnumSchema {
  const choice = toOptions(titles)
  return {
    type: 'string',
    enum: choice.map((option) => option.const),
    enumNames: choice.map((option) => option.title),
    ...options,
  }
}

function toOptions(titles: Titles): TitledOption[] {
  return Object.entries(titles).map(([value, title]) => ({ const: value, title }))
}
