/**
 * What each side declares that it can do.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic#capabilities
 * @module
 */
import { isRecord } from './jsonrpc.ts'

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
 * objects. Members of those members are not looked at; ask {@link declares}.
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

/** The client capabilities that a request can need, from the whole to its parts. */
export type ClientFeature =
  | 'roots'
  | 'sampling'
  | 'sampling.tools'
  | 'sampling.context'
  | 'elicitation.form'
  | 'elicitation.url'

/** The capability object that each feature needs. */
const REQUIRED: Readonly<Record<ClientFeature, ClientCapabilities>> = {
  roots: { roots: {} },
  sampling: { sampling: {} },
  'sampling.tools': { sampling: { tools: {} } },
  'sampling.context': { sampling: { context: {} } },
  'elicitation.form': { elicitation: { form: {} } },
  'elicitation.url': { elicitation: { url: {} } },
}

/**
 * Tells whether a client declared a feature. An elicitation capability without any mode means
 * forms; one that names only `url` does not.
 *
 * @param capabilities what the client declared
 * @param feature what is needed
 */
export function declares(capabilities: ClientCapabilities, feature: ClientFeature): boolean {
  const { roots, sampling, elicitation } = capabilities
  if (feature === 'roots') return roots !== undefined
  if (feature === 'sampling') return sampling !== undefined
  if (feature === 'sampling.tools') return sampling?.tools !== undefined
  if (feature === 'sampling.context') return sampling?.context !== undefined
  if (feature === 'elicitation.url') return elicitation?.url !== undefined
  if (elicitation === undefined) return false
  return elicitation.form !== undefined || elicitation.url === undefined
}

/**
 * The capability object that a client lacks, as `data.requiredCapabilities` names it.
 *
 * @param feature what is needed
 */
export function requiredCapability(feature: ClientFeature): ClientCapabilities {
  return REQUIRED[feature]
}
