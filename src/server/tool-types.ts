/**
 * The types behind `server.tool(name, config, handler)`: what a handler receives, and the check that it returns
 * exactly what the tool declares.
 *
 * A function's return type is compared structurally, so a misspelt optional property, or an unknown one in a variable,
 * would pass. {@link CheckReturn} therefore compares keys, three levels deep, and turns a stray one into a compile error.
 *
 * @module
 */
import type { ContentBlock } from '../protocol/content.ts'
import type { InferInput, InferOutput, StandardSchema } from '../schema/standard.ts'
import type { AnyToolConfig } from './definitions.ts'
import type { InputRequired } from './input-required/result.ts'
import type { ToolResultValue } from './tool-result.ts'

/** Any object but an array: what an input may be. */
export type ObjectLike = object & { readonly [Symbol.iterator]?: never }

/** A schema of an input: its root is an object. */
export type InputSchema = StandardSchema<ObjectLike, ObjectLike>

/** What a tool says about itself, with the types of its input and output. */
export interface ToolConfig<
  I extends InputSchema | undefined = InputSchema | undefined,
  O extends StandardSchema | undefined = StandardSchema | undefined,
> extends AnyToolConfig {
  /** The arguments. Without it the handler's first argument is `{}`. */
  readonly input?: I | undefined
  /** The structured content. The handler returns its input type; what is sent is the validated value. */
  readonly output?: O | undefined
}

/** What a handler receives where no input is declared: an object without members. */
export interface EmptyInput {
  readonly [Symbol.iterator]?: never
}

/** What a handler receives as its first argument. */
export type ToolInput<I> = [I] extends [StandardSchema] ? InferOutput<I> : EmptyInput

/** What a handler with `output` may return. */
type Declared<O extends StandardSchema> =
  | InferInput<O>
  | ToolResultValue<InferInput<O>>
  | InputRequired

/** What a handler without `output` may return. */
type Free = string | ContentBlock | readonly ContentBlock[] | ToolResultValue | InputRequired

/** What a handler may return. */
export type ToolReturn<O> = [O] extends [StandardSchema] ? Declared<O> : Free

/** A tool's handler; the constraint that `H` is inferred under. */
export type ToolHandler<I, O, Ctx> = (
  input: ToolInput<I>,
  ctx: Ctx,
) => ToolReturn<O> | Promise<ToolReturn<O>>

/** Anything callable, for inference. */
type AnyHandler = (...args: never[]) => unknown

/** The value that a tool's structured content has to be. */
type Expected<O> = [O] extends [StandardSchema] ? InferInput<O> : Free

/**
 * Nothing (`unknown`) when `H` returns exactly what is declared; otherwise a type no function has, whose name is the
 * complaint and whose value is the offending keys.
 */
export type CheckReturn<H extends AnyHandler, O> = Report<
  Stray<Payload<Awaited<ReturnType<H>>, O>, Expected<O>, [0, 0, 0]>
>

type Report<Keys> = [Keys] extends [never]
  ? unknown
  : { readonly 'The handler returns properties that the tool does not declare': Keys }

/** What is to be compared: the returned value, or the structured content inside a built result. */
type Payload<R, O> =
  IsAny<R> extends true
    ? never
    : R extends InputRequired
      ? never
      : R extends ToolResultValue<infer Structured>
        ? [O] extends [StandardSchema]
          ? Structured
          : never
        : R

type IsAny<T> = 0 extends 1 & T ? true : false

/** `any` and `unknown`. */
type IsOpen<T> = unknown extends T ? true : false

/** Keys of every object in a union. */
type KeysOf<T> = T extends object ? keyof T : never

/** The types a key has in every object of a union. */
type At<T, Key> = T extends object ? (Key extends keyof T ? T[Key] : never) : never

/** The element types of every array in a union. */
type ElementOf<T> = T extends readonly (infer Element)[] ? Element : never

/** Named keys, without index signatures. */
type NamedKeys<T> = keyof {
  [
    Key in keyof T as string extends Key
      ? never
      : number extends Key
        ? never
        : symbol extends Key
          ? never
          : Key
  ]: true
}

/** Keys that `Actual` has and `Allowed` has nowhere, at most as many levels deep as `Levels` has members. */
type Stray<Actual, Allowed, Levels extends readonly unknown[]> = Levels extends readonly [
  unknown,
  ...infer Deeper,
]
  ? IsOpen<Allowed> extends true
    ? never
    : IsOpen<Actual> extends true
      ? never
      : StrayOf<Actual, Allowed, Deeper>
  : never

/** Distributes over what is returned; primitives and functions have no keys worth comparing. */
type StrayOf<Actual, Allowed, Deeper extends readonly unknown[]> = Actual extends AnyHandler
  ? never
  : Actual extends readonly (infer Element)[]
    ? Stray<Element, ElementOf<Allowed>, Deeper>
    : Actual extends object
      ? StrayKeys<Actual, Extract<Allowed, object>, Deeper>
      : never

/** Records and loose objects allow any key, so nothing in them is stray. */
type StrayKeys<Actual, Allowed, Deeper extends readonly unknown[]> =
  string extends KeysOf<Allowed>
    ? never
    : | Exclude<NamedKeys<Actual>, KeysOf<Allowed>>
      | {
          [Key in NamedKeys<Actual> & keyof Actual]: Key extends KeysOf<Allowed>
            ? Stray<Actual[Key], At<Allowed, Key>, Deeper>
            : never
        }[NamedKeys<Actual> & keyof Actual]
