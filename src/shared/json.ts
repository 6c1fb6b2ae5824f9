/**
 * JSON from strangers: parsed only if it does not nest too deep.
 *
 * @module
 */

/** A parsed value, or why there is none. */
export type ParsedJson =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly problem: 'syntax' | 'depth' }

/**
 * Parses JSON that nests no deeper than a bound. Keys such as `__proto__` stay plain members of the
 * object that has them.
 *
 * @param text the JSON
 * @param maxDepth how many arrays and objects may lie inside each other
 */
export function parseJson(text: string, maxDepth: number): ParsedJson {
  if (mayNest(text, maxDepth) && nestsDeeper(text, maxDepth)) return { ok: false, problem: 'depth' }
  try {
    return { ok: true, value: JSON.parse(text) }
  } catch {
    return { ok: false, problem: 'syntax' }
  }
}

/** Most messages have fewer brackets than the bound has levels, and finding brackets is fast. */
function mayNest(text: string, maxDepth: number): boolean {
  let left = maxDepth
  for (let at = text.indexOf('{'); at !== -1; at = text.indexOf('{', at + 1)) {
    left -= 1
    if (left < 0) return true
  }
  for (let at = text.indexOf('['); at !== -1; at = text.indexOf('[', at + 1)) {
    left -= 1
    if (left < 0) return true
  }
  return false
}

function nestsDeeper(text: string, maxDepth: number): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 0x22) at = endOfString(text, at)
    else if (code === 0x7b || code === 0x5b) depth += 1
    else if (code === 0x7d || code === 0x5d) depth -= 1
    if (depth > maxDepth) return true
  }
  return false
}

/** Characters of a string that are looked at one by one: beyond them, a search is faster. */
const NEAR = 48

/** Where the string that starts at `start` ends; the end of the text if it does not. */
function endOfString(text: string, start: number): number {
  const near = Math.min(text.length, start + NEAR)
  let at = start + 1
  for (; at < near; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 0x22) return at
    if (code === 0x5c) at += 1
  }
  let end = text.indexOf('"', at)
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end === -1 ? text.length : end
}

function isEscaped(text: string, at: number): boolean {
  let before = at - 1
  while (text.charCodeAt(before) === 0x5c) before -= 1
  return (at - before) % 2 === 0
}
