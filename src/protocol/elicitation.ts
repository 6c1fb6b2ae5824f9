/**
 * Elicitation: a server asks the user, with a form or on a page (since 2025-06-18).
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation
 * @module
 */
import type { NotificationParams, RequestParams } from './params.ts'
import type { Result } from './result.ts'

interface Field {
  readonly title?: string | undefined
  readonly description?: string | undefined
}

/** A text field. */
export interface StringSchema extends Field {
  readonly type: 'string'
  readonly minLength?: number | undefined
  readonly maxLength?: number | undefined
  readonly format?: 'email' | 'uri' | 'date' | 'date-time' | undefined
  /** Since 2025-11-25. */
  readonly default?: string | undefined
}

/** A number field. */
export interface NumberSchema extends Field {
  readonly type: 'number' | 'integer'
  readonly minimum?: number | undefined
  readonly maximum?: number | undefined
  /** Since 2025-11-25. */
  readonly default?: number | undefined
}

/** A yes-or-no field. */
export interface BooleanSchema extends Field {
  readonly type: 'boolean'
  readonly default?: boolean | undefined
}

/** A choice whose values have titles. */
export interface TitledOption {
  readonly const: string
  readonly title: string
}

/** A choice of one. */
export interface UntitledSingleSelectEnumSchema extends Field {
  readonly type: 'string'
  readonly enum: readonly string[]
  /** Since 2025-11-25. */
  readonly default?: string | undefined
}

/** A choice of one, with titles (since 2025-11-25). */
export interface TitledSingleSelectEnumSchema extends Field {
  readonly type: 'string'
  readonly oneOf: readonly TitledOption[]
  readonly default?: string | undefined
}

/** A choice of one. */
export type SingleSelectEnumSchema = UntitledSingleSelectEnumSchema | TitledSingleSelectEnumSchema

/** A choice of several (since 2025-11-25). */
export interface UntitledMultiSelectEnumSchema extends Field {
  readonly type: 'array'
  readonly items: { readonly type: 'string'; readonly enum: readonly string[] }
  readonly minItems?: number | undefined
  readonly maxItems?: number | undefined
  readonly default?: readonly string[] | undefined
}

/** A choice of several, with titles (since 2025-11-25). */
export interface TitledMultiSelectEnumSchema extends Field {
  readonly type: 'array'
  readonly items: { readonly anyOf: readonly TitledOption[] }
  readonly minItems?: number | undefined
  readonly maxItems?: number | undefined
  readonly default?: readonly string[] | undefined
}

/** A choice of several (since 2025-11-25). */
export type MultiSelectEnumSchema = UntitledMultiSelectEnumSchema | TitledMultiSelectEnumSchema

/** A choice of one with titles beside the values; deprecated, still valid. */
export interface LegacyTitledEnumSchema extends Field {
  readonly type: 'string'
  readonly enum: readonly string[]
  readonly enumNames?: readonly string[] | undefined
  readonly default?: string | undefined
}

/** Any choice. */
export type EnumSchema = SingleSelectEnumSchema | MultiSelectEnumSchema | LegacyTitledEnumSchema

/** Any field of a form. */
export type PrimitiveSchemaDefinition = StringSchema | NumberSchema | BooleanSchema | EnumSchema

/** A form: a flat object of fields. */
export interface RequestedSchema {
  /** Since 2025-11-25. */
  readonly $schema?: string | undefined
  readonly type: 'object'
  readonly properties: Readonly<Record<string, PrimitiveSchemaDefinition>>
  readonly required?: readonly string[] | undefined
}

/** Parameters of an `elicitation/create` that shows a form. */
export interface ElicitRequestFormParams extends RequestParams {
  /** Since 2025-11-25; absent means `form`. */
  readonly mode?: 'form' | undefined
  readonly message: string
  readonly requestedSchema: RequestedSchema
}

/** Parameters of an `elicitation/create` that sends the user to a page (since 2025-11-25). */
export interface ElicitRequestURLParams extends RequestParams {
  readonly mode: 'url'
  readonly message: string
  readonly url: string
  /** Required in 2025-11-25, gone since 2026-07-28. */
  readonly elicitationId?: string | undefined
}

/** Parameters of `elicitation/create`. */
export type ElicitRequestParams = ElicitRequestFormParams | ElicitRequestURLParams

/** What a field of an accepted form can hold. */
export type ElicitValue = string | number | boolean | readonly string[]

/** Result of `elicitation/create`. */
export interface ElicitResult extends Result {
  readonly action: 'accept' | 'decline' | 'cancel'
  /** Only of an accepted form. */
  readonly content?: Readonly<Record<string, ElicitValue>> | undefined
}

/** Parameters of `notifications/elicitation/complete` (2025-11-25 only). */
export interface ElicitationCompleteNotificationParams extends NotificationParams {
  readonly elicitationId: string
}
