/**
 * Opaque list cursors. A cursor is the offset of the next item, so a page survives inserts at the
 * end but not reordering: the registry keeps insertion order for that reason.
 *
 * @module
 */
import { InvalidParamsError } from '../protocol/errors.ts'

/** One page of a list, and where the next one starts. */
export interface Page<Item> {
  readonly items: readonly Item[]
  readonly nextCursor?: string | undefined
}

/**
 * Cuts the page that `cursor` points at.
 *
 * @param all every item
 * @param size items per page; null puts all on one page
 * @param cursor the client's cursor, as it stands on the wire
 * @throws {InvalidParamsError} if the cursor is not one we issued for this list
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/pagination
 */
export function paginate<Item>(
  all: readonly Item[],
  size: number | null,
  cursor: unknown,
): Page<Item> {
  const start = cursor === undefined ? 0 : parseCursor(cursor, size, all.length)
  if (size === null) return { items: all }
  const end = start + size
  return { items: all.slice(start, end), nextCursor: end < all.length ? String(end) : undefined }
}

function parseCursor(cursor: unknown, size: number | null, length: number): number {
  const offset = typeof cursor === 'string' && /^[1-9]\d{0,8}$/.test(cursor) ? Number(cursor) : 0
  if (size === null || offset === 0 || offset >= length || offset % size !== 0) {
    throw new InvalidParamsError('Invalid cursor')
  }
  return offset
}
