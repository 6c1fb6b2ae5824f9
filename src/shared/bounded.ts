/**
 * Maps that do not grow for ever.
 *
 * @module
 */

/**
 * Sets an entry as the newest; where there are too many, the oldest makes room.
 *
 * @param map the entries, oldest first
 * @param entry the key and its value
 * @param max how many are kept
 */
export function setBounded<K, V>(map: Map<K, V>, [key, value]: readonly [K, V], max: number): void {
  map.delete(key)
  map.set(key, value)
  if (map.size <= max) return
  for (const oldest of map.keys()) {
    map.delete(oldest)
    return
  }
}
