/**
 * What the parts of one server share: its options, checked once, and its definitions.
 *
 * @module
 */
import type { ServerCapabilities, Settings } from '../protocol/capabilities.ts'
import type { Implementation } from '../protocol/implementation.ts'
import { isExtensionKey } from '../protocol/meta.ts'
import {
  isLegacyRevision,
  isModernRevision,
  isRevision,
  LEGACY_REVISIONS,
  MODERN_REVISIONS,
} from '../protocol/versions.ts'
import type { Revision } from '../protocol/versions.ts'
import type { ToJsonSchema } from '../schema/convert.ts'
import { toCacheHints } from './cache-hints.ts'
import type { CacheHints } from './cache-hints.ts'
import type { Asker, AskSupport } from './ask/question.ts'
import type { Call, Caller } from './call.ts'
import { LegacyEra } from './eras/legacy.ts'
import { ModernEra } from './eras/modern.ts'
import type { ServerOptions } from './options.ts'
import { warn } from './report.ts'
import type { OnError, OnWarning } from './report.ts'

/** What the parts of one server share. */
export class ServerCore implements AskSupport {
  readonly info: Implementation
  readonly instructions: string | undefined
  readonly pageSize: number | null
  readonly cache: CacheHints | undefined
  readonly validateOutput: boolean
  readonly declared: ServerCapabilities
  readonly toJsonSchema: ToJsonSchema | undefined
  readonly onError: OnError | undefined
  readonly onWarning: OnWarning | undefined
  readonly legacy: LegacyEra
  readonly modern: ModernEra
  /** Settings by extension id: those of the option, then those of extensions in use. */
  readonly extensions: Map<string, Settings> = new Map()
  /** Deprecated features that have been warned of. */
  readonly #deprecated = new Set<string>()

  /** @throws {TypeError} if an option cannot be used; the message names it */
  constructor(options: ServerOptions) {
    this.info = toImplementation(options)
    this.instructions = options.instructions
    this.pageSize = toPageSize(options.pageSize)
    this.cache = options.cache === undefined ? undefined : toCacheHints(options.cache)
    this.validateOutput = options.validateOutput ?? true
    this.declared = options.capabilities ?? {}
    this.toJsonSchema = options.toJsonSchema
    this.onError = options.onError
    this.onWarning = options.onWarning
    const revisions = toRevisions(options.revisions)
    this.legacy = new LegacyEra(revisions.filter(isLegacyRevision), options.legacyShim ?? true)
    this.modern = new ModernEra(this.info, revisions.filter(isModernRevision))
    for (const [id, settings] of Object.entries(options.extensions ?? {})) this.extend(id, settings)
  }

  /** The rules of the era that a caller speaks. */
  rulesOf(caller: Caller): LegacyEra | ModernEra {
    return caller.era === this.modern.era ? this.modern : this.legacy
  }

  askerFor(call: Call): Asker {
    return this.rulesOf(call.caller).ask(call)
  }

  deprecated(call: Call, feature: 'sampling' | 'roots' | 'logging'): void {
    if (call.caller.era !== this.modern.era || this.#deprecated.has(feature)) return
    this.#deprecated.add(feature)
    warn(this.onWarning, `${feature} is deprecated since revision ${call.caller.revision}`)
  }

  /**
   * Declares an extension.
   *
   * @throws {TypeError} if the id has no prefix or breaks the grammar, or is declared already
   */
  extend(id: string, settings: Settings): void {
    if (!isExtensionKey(id)) {
      throw new TypeError(`extension id '${id}' must have the form 'prefix/name'`)
    }
    if (this.extensions.has(id)) throw new TypeError(`extension '${id}' is already in use`)
    this.extensions.set(id, settings)
  }
}

function toImplementation(options: ServerOptions): Implementation {
  const { name, version, title, description, websiteUrl, icons } = options
  if (typeof name !== 'string' || name === '') throw new TypeError("option 'name' must be a string")
  if (typeof version !== 'string') throw new TypeError("option 'version' must be a string")
  return { name, version, title, description, websiteUrl, icons }
}

function toPageSize(pageSize: number | null | undefined): number | null {
  if (pageSize === undefined || pageSize === null) return null
  if (Number.isSafeInteger(pageSize) && pageSize > 0) return pageSize
  throw new TypeError("option 'pageSize' must be a positive integer or null")
}

function toRevisions(revisions: readonly Revision[] | undefined): readonly Revision[] {
  if (revisions === undefined) return [...LEGACY_REVISIONS, ...MODERN_REVISIONS]
  const unknown = revisions.find((revision) => !isRevision(revision))
  if (unknown !== undefined || revisions.length === 0) {
    throw new TypeError(`option 'revisions' names no known revision: ${String(unknown)}`)
  }
  return revisions.toSorted()
}
