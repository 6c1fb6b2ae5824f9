/**
 * What a server is made with.
 *
 * @module
 */
import type { ServerCapabilities, Settings } from '../protocol/capabilities.ts'
import type { Icon } from '../protocol/implementation.ts'
import type { Revision } from '../protocol/versions.ts'
import type { ToJsonSchema } from '../schema/convert.ts'
import type { CacheOptions } from './cache-hints.ts'
import type { AnyDefinition } from './definitions.ts'
import type { AroundRequest } from './hooks.ts'
import type { OnError, OnWarning } from './report.ts'

/** What a server is made with; only its name and version are required. */
export interface ServerOptions {
  /** The server's name, for programs. */
  readonly name: string
  /** The server's version. */
  readonly version: string
  /** The server's name, for people. */
  readonly title?: string | undefined
  /** What the server is for. */
  readonly description?: string | undefined
  /** Where to read more. */
  readonly websiteUrl?: string | undefined
  readonly icons?: readonly Icon[] | undefined
  /** How to use the server, for the model. */
  readonly instructions?: string | undefined
  /** Definitions made with `defineTool` and its siblings. */
  readonly tools?: readonly AnyDefinition[] | undefined
  /** Items per page of a list. @default null: lists come whole, because most clients want them so */
  readonly pageSize?: number | null | undefined
  /** How long clients may reuse lists and resources. @default none; modern results then say 0 and private */
  readonly cache?: CacheOptions | undefined
  /** Whether tool output is validated before it is sent; a tool may say otherwise. @default true */
  readonly validateOutput?: boolean | undefined
  /** Overrides what is derived from the definitions. What is declared here is served. */
  readonly capabilities?: ServerCapabilities | undefined
  /** Settings of extensions that need no code, by id. */
  readonly extensions?: Readonly<Record<string, Settings>> | undefined
  /** The revisions to serve. @default all that this package speaks */
  readonly revisions?: readonly Revision[] | undefined
  /** Receives errors that are masked to the peer. @default the console's error output */
  readonly onError?: OnError | undefined
  /** Receives advice about definitions, once for each. @default the console's warnings */
  readonly onWarning?: OnWarning | undefined
  /** Wraps every request. */
  readonly aroundRequest?: AroundRequest | undefined
  /** Whether `info.data` of the hook carries `ctx.data`. @default false, because it may hold secrets */
  readonly hooksSeeData?: boolean | undefined
  /**
   * Whether questions that a handler returns with `inputRequired()` are asked of legacy clients too, as
   * requests while the call runs.
   *
   * @default true
   */
  readonly legacyShim?: boolean | undefined
  /** Makes JSON Schema for libraries that do not bring it. */
  readonly toJsonSchema?: ToJsonSchema | undefined
}
