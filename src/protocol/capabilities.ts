/**
 * What each side declares that it can do.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#capabilities
 * @module
 */
import { isRecord } from './jsonrpc.ts'
import type { Params } from './jsonrpc.ts'

/** Settings of a capability that has none of its own yet. */
export interface Settings {
  readonly [name: string]: unknown
}

/** Extensions by id (`prefix/name`), each with its settings (since 2026-07-28; legal before). */
export interface Extensions {
  readonly [id: string]: Settings
}

/** Roots the client can list; deprecated since 2026-07-28. */
export interface RootsCapability {
  /** The client tells when its roots change (until 2025-11-25). */
  readonly listChanged?: boolean | undefined
}

/** Sampling the client can do; deprecated since 2026-07-28. */
export interface SamplingCapability {
  /** The model may call tools (since 2025-11-25). */
  readonly tools?: Settings | undefined
  /** `includeContext` is honoured (since 2025-11-25). */
  readonly context?: Settings | undefined
}

/** Elicitation the client can do (since 2025-06-18); an empty object means forms only. */
export interface ElicitationCapability {
  /** Since 2025-11-25. */
  readonly form?: Settings | undefined
  /** Since 2025-11-25. */
  readonly url?: Settings | undefined
}

/** What a client can do. */
export interface ClientCapabilities {
  readonly experimental?: Readonly<Record<string, Settings>> | undefined
  readonly roots?: RootsCapability | undefined
  readonly sampling?: SamplingCapability | undefined
  readonly elicitation?: ElicitationCapability | undefined
  readonly extensions?: Extensions | undefined
}

/** Prompts or tools the server offers. */
export interface ListChangedCapability {
  /** The server tells when the list changes. */
  readonly listChanged?: boolean | undefined
}

/** Resources the server offers. */
export interface ResourcesCapability extends ListChangedCapability {
  /** Clients may ask to be told when a resource changes. */
  readonly subscribe?: boolean | undefined
}

/** What a server can do. */
export interface ServerCapabilities {
  readonly experimental?: Readonly<Record<string, Settings>> | undefined
  /** Deprecated since 2026-07-28. */
  readonly logging?: Settings | undefined
  /** Since 2025-03-26. */
  readonly completions?: Settings | undefined
  readonly prompts?: ListChangedCapability | undefined
  readonly resources?: ResourcesCapability | undefined
  readonly tools?: ListChangedCapability | undefined
  readonly extensions?: Extensions | undefined
}

/**
 * Tells whether `value` can be read as client capabilities: an object whose known members are
 * objects. Members of those members are not looked at; ask {@link missingCapabilities}.
 *
 * @param value capabilities from the wire
 */
export function isClientCapabilities(value: unknown): value is ClientCapabilities {
  return isRecord(value) && haveSettings(value, CLIENT_CAPABILITIES)
}

/**
 * Tells whether `value` can be read as server capabilities: an object whose known members are
 * objects.
 *
 * @param value capabilities from the wire
 */
export function isServerCapabilities(value: unknown): value is ServerCapabilities {
  return isRecord(value) && haveSettings(value, SERVER_CAPABILITIES)
}

const CLIENT_CAPABILITIES = ['experimental', 'roots', 'sampling', 'elicitation', 'extensions']
const SERVER_CAPABILITIES = [
  'experimental',
  'logging',
  'completions',
  'prompts',
  'resources',
  'tools',
  'extensions',
]

function haveSettings(value: Record<string, unknown>, names: readonly string[]): boolean {
  for (const name of names) {
    const settings = value[name]
    if (settings !== undefined && !isRecord(settings)) return false
  }
  return true
}

/**
 * The settings a side declared for an extension. An entry that is no object counts as absent, and
 * so does a name that only a prototype has.
 *
 * @param capabilities what the side declared
 * @param id the extension's id
 */
export function extensionSettings(
  capabilities: ClientCapabilities | ServerCapabilities,
  id: string,
): Settings | undefined {
  const { extensions } = capabilities
  if (extensions === undefined || !Object.hasOwn(extensions, id)) return undefined
  const settings = extensions[id]
  return isRecord(settings) ? settings : undefined
}

/**
 * What is required and not declared, as one capability object. An elicitation capability without any
 * mode declares forms; one that names only `url` does not.
 *
 * @param required the capabilities needed, as a client declares them
 * @param declared the capabilities the client declared
 * @returns undefined when nothing is missing
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#client-capabilities
 */
export function missingCapabilities(
  required: ClientCapabilities,
  declared: ClientCapabilities,
): Params | undefined {
  const { elicitation } = declared
  const impliesForm = elicitation !== undefined && elicitation.url === undefined
  return missing(required, impliesForm ? { ...declared, elicitation: { form: {} } } : declared)
}

function missing(required: object, declared: unknown): Params | undefined {
  const found: Record<string, unknown> = {}
  for (const [key, wanted] of Object.entries(required)) {
    if (wanted === undefined || wanted === false) continue
    const has = offered(declared, key)
    const part = has !== undefined && isRecord(wanted) ? missing(wanted, has) : undefined
    if (has === undefined || part !== undefined) found[key] = part ?? wanted
  }
  return Object.keys(found).length === 0 ? undefined : found
}

/** A capability that is declared as `false` is not there. */
function offered(declared: unknown, key: string): unknown {
  const value = isRecord(declared) && Object.hasOwn(declared, key) ? declared[key] : undefined
  return value === false ? undefined : value
}
