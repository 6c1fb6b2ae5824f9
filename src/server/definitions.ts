/**
 * Definitions that stand on their own: made without a server, added to one later, or to several.
 *
 * @module
 */
import type { Annotations } from '../protocol/content.ts'
import type { Icon } from '../protocol/implementation.ts'
import type { ToolAnnotations } from '../protocol/tools.ts'
import type { StandardSchema } from '../schema/standard.ts'
import type { Context } from './context.ts'

/** Suggests values for an argument or a template variable, given what was typed and what is known. */
export type Completer = (
  typed: string,
  context: CompletionContext,
) => CompletionValues | Promise<CompletionValues>

/** What is known when values are suggested. */
export interface CompletionContext {
  /** Values of the other arguments or variables, so far. */
  readonly arguments: Readonly<Record<string, string>>
}

/** Suggested values, or some of them and how many there are. */
export type CompletionValues =
  | readonly string[]
  | {
      readonly values: readonly string[]
      readonly total?: number | undefined
      readonly hasMore?: boolean | undefined
    }

/** What every definition may say. */
export interface CommonConfig {
  /** The name for people. */
  readonly title?: string | undefined
  /** What it is for; models read this. */
  readonly description?: string | undefined
  readonly icons?: readonly Icon[] | undefined
  /** Becomes `_meta` of the listed entry. */
  readonly meta?: Readonly<Record<string, unknown>> | undefined
}

/** What a tool says about itself, before types are known. */
export interface AnyToolConfig extends CommonConfig {
  readonly input?: StandardSchema | undefined
  readonly output?: StandardSchema | undefined
  readonly annotations?: ToolAnnotations | undefined
  /** Scopes a caller's token must have; a missing one is answered with HTTP 403 and a challenge. */
  readonly scopes?: readonly string[] | undefined
  /** Whether output is validated before it is sent. @default the server's `validateOutput` */
  readonly validateOutput?: boolean | undefined
}

/** A tool that is not part of a server yet, before types are known. */
export interface AnyTool {
  readonly kind: 'tool'
  readonly name: string
  readonly config: AnyToolConfig
  readonly handler: (input: never, ctx: never) => unknown
}

/** What a resource says about itself. */
export interface ResourceConfig extends CommonConfig {
  /** The name for programs. */
  readonly name: string
  readonly mimeType?: string | undefined
  /** Size in bytes, where it is known. */
  readonly size?: number | undefined
  readonly annotations?: Annotations | undefined
}

/** What a template says about itself. */
export interface ResourceTemplateConfig extends CommonConfig {
  /** The name for programs. */
  readonly name: string
  readonly mimeType?: string | undefined
  readonly annotations?: Annotations | undefined
  /** Suggests values, by variable. */
  readonly complete?: Readonly<Record<string, Completer>> | undefined
}

/** A resource that is not part of a server yet. */
export interface AnyResource {
  readonly kind: 'resource'
  readonly uri: string
  readonly config: ResourceConfig
  readonly reader?: ((uri: string, ctx: never) => unknown) | undefined
}

/** A template that is not part of a server yet. */
export interface AnyResourceTemplate {
  readonly kind: 'template'
  readonly uriTemplate: string
  readonly config: ResourceTemplateConfig
  readonly reader: (variables: never, ctx: never, uri: string) => unknown
}

/** What a prompt says about itself, before types are known. */
export interface AnyPromptConfig extends CommonConfig {
  /** A schema whose properties are strings: clients send nothing else. */
  readonly input?: StandardSchema | undefined
  /** Suggests values, by argument. */
  readonly complete?: Readonly<Record<string, Completer>> | undefined
}

/** A prompt that is not part of a server yet, before types are known. */
export interface AnyPrompt {
  readonly kind: 'prompt'
  readonly name: string
  readonly config: AnyPromptConfig
  readonly handler: (input: never, ctx: never) => unknown
}

/** Anything that `server.add` takes. */
export type AnyDefinition = AnyTool | AnyResource | AnyResourceTemplate | AnyPrompt

/**
 * A handler as the server runs it. Its input has been validated by the schema that its type was
 * inferred from, and its context made for the server it was declared for: this is the one place
 * that says so.
 *
 * @param handler a handler of any definition
 */
export function toHandler(
  handler: (...args: never[]) => unknown,
): (input: unknown, ctx: Context, uri?: string) => unknown {
  return handler as (input: unknown, ctx: Context, uri?: string) => unknown
}
