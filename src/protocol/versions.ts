/**
 * The protocol revisions, and the two generations ("eras") they belong to: the legacy revisions
 * open with `initialize` and may hold a session, the modern one carries everything in each request.
 *
 * @module
 */

/** A generation of the protocol: handshake and sessions, or self-contained requests. */
export type Era = 'legacy' | 'modern'

/** The handshake revisions that Streamable HTTP and stdio serve, oldest first. */
export const LEGACY_REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'] as const
/** The self-contained revisions, oldest first. */
export const MODERN_REVISIONS = ['2026-07-28'] as const

/** A revision that opens with `initialize`. */
export type LegacyRevision = (typeof LEGACY_REVISIONS)[number]
/** A revision whose requests carry their own envelope. */
export type ModernRevision = (typeof MODERN_REVISIONS)[number]
/** Any revision this package speaks. */
export type Revision = LegacyRevision | ModernRevision

/** The revision assumed when a legacy request names none and has no session. */
export const ASSUMED_REVISION: LegacyRevision = '2025-03-26'
/** The newest handshake revision, offered when a client asks for one we do not serve. */
export const LATEST_LEGACY_REVISION: LegacyRevision = '2025-11-25'
/** The newest self-contained revision. */
export const LATEST_MODERN_REVISION: ModernRevision = '2026-07-28'

/**
 * Tells whether `value` names a handshake revision.
 *
 * @param value a version string from the wire
 */
export function isLegacyRevision(value: unknown): value is LegacyRevision {
  const known: readonly unknown[] = LEGACY_REVISIONS
  return known.includes(value)
}

/**
 * Tells whether `value` names a self-contained revision.
 *
 * @param value a version string from the wire
 */
export function isModernRevision(value: unknown): value is ModernRevision {
  const known: readonly unknown[] = MODERN_REVISIONS
  return known.includes(value)
}

/**
 * Tells whether `value` names a revision of either era.
 *
 * @param value a version string from the wire
 */
export function isRevision(value: unknown): value is Revision {
  return isLegacyRevision(value) || isModernRevision(value)
}

/**
 * What a revision's peers understand. Code asks for a feature by name, so that version strings
 * stay in this file.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/changelog
 */
export interface RevisionFeatures {
  /** JSON-RPC arrays are accepted. */
  readonly batches: boolean
  /** Audio content exists. */
  readonly audio: boolean
  /** `resource_link` content, `title`, output schemas and structured content exist. */
  readonly structured: boolean
  /** Output schemas and structured content may be any JSON, not only objects. */
  readonly anyStructured: boolean
  /** `icons`, and `description` and `websiteUrl` of an implementation, exist. */
  readonly icons: boolean
  /** The `elicitation` capability exists. */
  readonly elicitation: boolean
  /** Elicitation by URL, form defaults, titled and multi-select enums, and sampling with tools exist. */
  readonly richElicitation: boolean
  /** A stream opens with an event that has an id and no data, so that it can be resumed at once. */
  readonly priming: boolean
  /** URL elicitations have ids, a completion notice, and an error that demands one. */
  readonly elicitationIds: boolean
}

/**
 * The features of a revision.
 *
 * @param revision a revision this package speaks
 */
export function featuresOf(revision: Revision): RevisionFeatures {
  return {
    batches: revision === '2025-03-26',
    audio: revision >= '2025-03-26',
    structured: revision >= '2025-06-18',
    anyStructured: revision >= '2026-07-28',
    icons: revision >= '2025-11-25',
    elicitation: revision >= '2025-06-18',
    richElicitation: revision >= '2025-11-25',
    priming: revision === '2025-11-25',
    elicitationIds: revision === '2025-11-25',
  }
}

/**
 * Tells whether the `MCP-Protocol-Version` header exists in a revision.
 *
 * @param revision a revision this package speaks
 */
export function hasVersionHeader(revision: Revision): boolean {
  return revision >= '2025-06-18'
}
