/**
 * How a requirement is written down.
 *
 * @module
 */

/** Which side of the wire a requirement binds; the server's when nothing is said. */
type Side = 'server' | 'client' | 'both'

/** What a row may say beyond its id and subject. */
interface RowOptions {
  readonly side?: Side | undefined
  /** The part that claims this row, where it is not the section's. */
  readonly part?: number | undefined
  /** Why no test carries the id: `part N` until that part is done, or for good. */
  readonly reason?: string | undefined
}

/** Id, subject in our words, and what differs from the section. */
type Row = readonly [id: string, subject: string, options?: RowOptions]

/** A group of requirements that one part claims. */
export interface Section {
  readonly name: string
  readonly subject: string
  readonly part: number
  readonly rows: readonly Row[]
}

/** The part that claims the client's half of every section. */
export const CLIENT_PART = 5

/** Why the rows about tasks stand without a test. */
export const TASKS_REASON = 'the tasks extension is optional, experimental and not built'
