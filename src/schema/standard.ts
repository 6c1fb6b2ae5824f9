/**
 * The two public interfaces a schema library has to speak: Standard Schema (validate) and
 * Standard JSON Schema (describe). Vendored, so that no schema library is a dependency.
 *
 * @see https://standardschema.dev
 * @module
 */

/** One problem a schema library found. */
export interface Issue {
  readonly message: string
  /** Keys from the root to the offending value; a library may wrap each key in an object. */
  readonly path?: readonly (PropertyKey | PathSegment)[] | undefined
}

/** A wrapped key of an issue's path. */
export interface PathSegment {
  readonly key: PropertyKey
}

/** A value that passed. */
export interface Valid<Output> {
  readonly value: Output
  readonly issues?: undefined
}

/** A value that did not pass, and why. */
export interface Invalid {
  readonly issues: readonly Issue[]
}

/** What validation answers: `issues` tells the two apart. */
export type Validation<Output> = Valid<Output> | Invalid

/** Which side of a schema is meant: what goes in, or what comes out after defaults and transforms. */
export type SchemaSide = 'input' | 'output'

/** Asks a schema for its JSON Schema; `target` names the dialect. */
export interface StandardJsonOptions {
  readonly target: string
}

/** The part of a schema that describes it as JSON Schema. */
export interface StandardJsonConverter {
  readonly input: (options: StandardJsonOptions) => object
  readonly output: (options: StandardJsonOptions) => object
}

/** The members behind `~standard`. */
export interface StandardProps<Input, Output> {
  readonly version: 1
  readonly vendor: string
  readonly validate: (value: unknown) => Validation<Output> | Promise<Validation<Output>>
  readonly types?: { readonly input: Input; readonly output: Output } | undefined
  readonly jsonSchema?: StandardJsonConverter | undefined
}

/**
 * A schema of any library: structural, so that two copies or versions of one library are alike.
 *
 * @see https://standardschema.dev
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': StandardProps<Input, Output>
}

/** A schema that also describes itself as JSON Schema. */
export interface StandardJsonSchema<Input = unknown, Output = Input> {
  readonly '~standard': StandardProps<Input, Output> & {
    readonly jsonSchema: StandardJsonConverter
  }
}

/** The type a schema accepts. */
export type InferInput<S extends StandardSchema> = NonNullable<S['~standard']['types']>['input']

/** The type a schema yields. */
export type InferOutput<S extends StandardSchema> = NonNullable<S['~standard']['types']>['output']

/**
 * The vendor name of schemas made by `mcp-edge/json-schema`. They are published word for word, while what
 * a library generated is tidied first.
 */
export const RAW_VENDOR = 'mcp-edge/json-schema'

/**
 * Tells whether `value` speaks Standard Schema. ArkType's schemas are functions, so both kinds of object count.
 *
 * @param value anything
 */
export function isStandardSchema(value: unknown): value is StandardSchema {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false
  const props: unknown = '~standard' in value ? value['~standard'] : undefined
  return (
    typeof props === 'object' &&
    props !== null &&
    'validate' in props &&
    typeof props.validate === 'function'
  )
}
