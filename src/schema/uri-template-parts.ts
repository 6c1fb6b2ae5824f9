/**
 * The parts of a compiled URI template, and the types of its variables.
 *
 * @module
 */

/** Values by variable name: a list exactly where the variable has a `*`. */
export type UriTemplateValues = Readonly<Record<string, string | readonly string[] | undefined>>

/** How an expression writes its variables; the empty operator is level 1. */
export type Operator = '' | '+' | '#' | '/' | '?' | '&'

/** A variable of an expression. */
export interface Variable {
  readonly name: string
  /** `*`: the value is a list. */
  readonly explode: boolean
}

/** An expression in braces. */
export interface Expression {
  readonly operator: Operator
  readonly variables: readonly Variable[]
  /** The character its text begins with; an expression that has one may be absent. */
  readonly lead: string
  /** Its text may contain slashes. */
  readonly spans: boolean
  /** Characters that end its text because a later expression begins with one of them. */
  readonly stops: string
}

/** A literal, or an expression. */
export type TemplatePart = string | Expression

type Trim<Spec extends string> = Spec extends `${infer Name}*` ? Name : Spec

type ValueOf<Spec extends string> = Spec extends `${string}*` ? readonly string[] : string

type Required<Spec extends string> = {
  readonly [Each in Spec as Trim<Each>]: ValueOf<Each>
}

type Optional<Spec extends string> = {
  readonly [Each in Spec as Trim<Each>]?: ValueOf<Each> | undefined
}

type SplitNames<List extends string> = List extends `${infer First},${infer Rest}`
  ? First | SplitNames<Rest>
  : List

/** After the first of a list, values may be missing. */
type Listed<List extends string> = List extends `${infer First},${infer Rest}`
  ? Required<First> & Optional<SplitNames<Rest>>
  : Required<List>

type ExpressionValues<Body extends string> = Body extends `${'#' | '/' | '?' | '&'}${infer List}`
  ? Optional<SplitNames<List>>
  : Body extends `+${infer List}`
    ? Listed<List>
    : Listed<Body>

type Parsed<Template extends string> = Template extends `${string}{${infer Body}}${infer Rest}`
  ? ExpressionValues<Body> & Parsed<Rest>
  : unknown

/**
 * The values that matching a template yields: `UriVariables<'users://{id}{?tab}'>` has a string `id` and an optional
 * `tab`. A template that is no literal type yields strings or lists.
 */
export type UriVariables<Template extends string> = string extends Template
  ? UriTemplateValues
  : { readonly [Name in keyof Parsed<Template>]: Parsed<Template>[Name] }
