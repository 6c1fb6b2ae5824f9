/**
 * Calls typed from the definitions of a server, without any of its code.
 *
 * @module
 */
import type { CallToolResult, ToolTypes } from '../protocol/tools.ts'
import type { CallOptions } from './options.ts'

/** Definitions by which a client can be typed, such as `[forecast, deploy] as const`. */
export type ToolDefinitions = readonly ToolTypes[]

/** The definition of one tool. */
export type DefinitionOf<Tools extends ToolDefinitions, Name extends string> = Extract<
  Tools[number],
  { readonly name: Name }
>

type TypesOf<Definition> = Definition extends {
  readonly '~types'?: infer Types
}
  ? NonNullable<Types>
  : never

/** What a tool is called with. */
export type InputOf<Definition> =
  TypesOf<Definition> extends { readonly input: infer Input } ? Input : never

/** What a tool puts into `structuredContent`. */
export type OutputOf<Definition> =
  TypesOf<Definition> extends { readonly output: infer Output } ? Output : never

/** The result of a tool whose output is known. */
export type TypedResult<Output> = Omit<CallToolResult, 'structuredContent'> & {
  readonly structuredContent?: Output | undefined
}

/** A client that knows the tools of its server. */
export interface TypedClient<Tools extends ToolDefinitions> {
  /** As `client.callTool`, with the tool's own types. */
  callTool<const Name extends Tools[number]['name']>(
    name: Name,
    input: InputOf<DefinitionOf<Tools, Name>>,
    options?: CallOptions,
  ): Promise<TypedResult<OutputOf<DefinitionOf<Tools, Name>>>>
}
