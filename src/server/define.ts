/**
 * Definitions without a server: typed at the place where they stand, added where they are used.
 *
 * @module
 */
import type { ToolTypes } from '../protocol/tools.ts'
import type { InferInput, InferOutput, StandardSchema } from '../schema/standard.ts'
import type { UriVariables } from '../schema/uri-template-parts.ts'
import type { Context } from './context.ts'
import type {
  AnyPrompt,
  AnyPromptConfig,
  AnyResource,
  AnyResourceTemplate,
  AnyTool,
  ResourceConfig,
  ResourceTemplateConfig,
} from './definitions.ts'
import type { ReadReturn } from './features/resource-contents.ts'
import type { InputRequired } from './input-required/result.ts'
import type { PromptReturn } from './prompt-types.ts'
import type { CheckReturn, InputSchema, ToolConfig, ToolHandler } from './tool-types.ts'

/** The arguments that a client sends for an input schema. */
export type ArgumentsOf<I> = [I] extends [StandardSchema] ? InferInput<I> : Record<string, never>
/** The structured content that a client receives for an output schema. */
export type OutputOf<O> = [O] extends [StandardSchema] ? InferOutput<O> : undefined

/** A tool that is not part of a server yet. `client.typed` reads its types. */
export interface ToolDefinition<Name extends string = string, I = unknown, O = unknown>
  extends AnyTool, ToolTypes<Name, ArgumentsOf<I>, OutputOf<O>> {
  readonly kind: 'tool'
  readonly name: Name
}

/** Defines a tool, for a context of type `Ctx`. */
export type DefineTool<Ctx> = <
  const Name extends string,
  H extends ToolHandler<I, O, Ctx>,
  I extends InputSchema | undefined = undefined,
  O extends StandardSchema | undefined = undefined,
>(
  name: Name,
  config: ToolConfig<I, O>,
  handler: H & CheckReturn<H, O>,
) => ToolDefinition<Name, I, O>

/** {@link defineTool}, and its form for a declared context. */
export interface DefineToolFunction extends DefineTool<Context> {
  /** The same for handlers that want more of their context than every server offers. */
  withContext<Ctx>(): DefineTool<Ctx>
}

/**
 * Defines a tool without a server.
 *
 * @param name the tool's name; 1 to 128 of `A-Z a-z 0-9 _ - .` suits every client
 * @param config what the tool says about itself
 * @param handler runs a call; receives the validated arguments and the context
 * @returns a definition for `server.add` and the `tools` option
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/tools
 */
export const defineTool: DefineToolFunction = /* @__PURE__ */ Object.assign(toTool, {
  withContext: () => toTool,
})

function toTool<Name extends string>(
  name: Name,
  config: AnyTool['config'],
  handler: AnyTool['handler'],
): ToolDefinition<Name, never, never> {
  return { kind: 'tool', name, config, handler }
}

/** Reads a resource. */
export type ResourceReader<Ctx> = (
  uri: string,
  ctx: Ctx,
) => ReadReturn | InputRequired | Promise<ReadReturn | InputRequired>

/**
 * Defines a resource without a server.
 *
 * @param uri the resource's URI
 * @param config what the resource says about itself
 * @param reader returns its contents; without one the resource is listed, and the server's
 *   `readResource` reads it
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources
 */
export function defineResource(
  uri: string,
  config: ResourceConfig,
  reader?: ResourceReader<Context>,
): AnyResource {
  return { kind: 'resource', uri, config, reader }
}

/** Reads a resource that matches a template. */
export type TemplateReader<Template extends string, Ctx> = (
  variables: UriVariables<Template>,
  ctx: Ctx,
  uri: string,
) => ReadReturn | InputRequired | Promise<ReadReturn | InputRequired>

/**
 * Defines a resource template without a server.
 *
 * @param uriTemplate an RFC 6570 template
 * @param config what the template says about itself, and completers by variable
 * @param reader returns the contents of the resource that the variables name
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/resources#resource-templates
 */
export function defineResourceTemplate<const Template extends string>(
  uriTemplate: Template,
  config: ResourceTemplateConfig,
  reader: TemplateReader<Template, Context>,
): AnyResourceTemplate {
  return { kind: 'template', uriTemplate, config, reader }
}

/** What a prompt says about itself, with the type of its input. */
export interface PromptConfig<I extends InputSchema | undefined> extends AnyPromptConfig {
  /** A schema whose properties are strings: clients send nothing else. */
  readonly input?: I | undefined
}

/** Makes the messages of a prompt. */
export type PromptHandler<I, Ctx> = (
  input: [I] extends [StandardSchema] ? InferOutput<I> : Record<string, never>,
  ctx: Ctx,
) => PromptReturn | Promise<PromptReturn>

/**
 * Defines a prompt without a server.
 *
 * @param name the prompt's name
 * @param config what the prompt says about itself, and completers by argument
 * @param handler returns its messages
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/prompts
 */
export function definePrompt<I extends InputSchema | undefined = undefined>(
  name: string,
  config: PromptConfig<I>,
  handler: PromptHandler<I, Context>,
): AnyPrompt {
  return { kind: 'prompt', name, config, handler }
}
