/**
 * `WWW-Authenticate`: what a server wants to see before it answers.
 *
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-11.6.1
 * @module
 */
import { MAX_CHALLENGE_CHARS } from './limits.ts'

/** One challenge. */
export interface Challenge {
  /** In lower case. */
  readonly scheme: string
  /** By name in lower case. */
  readonly params: ReadonlyMap<string, string>
}

interface MutableChallenge extends Challenge {
  readonly params: Map<string, string>
}

const TOKEN = "[!#$%&'*+\\-.^_`|~0-9A-Za-z]+"
const QUOTED = '"(?:[^"\\\\]|\\\\.)*"'

/**
 * Reads every challenge of a header, also where several headers were joined into one. What cannot
 * be read is skipped.
 *
 * @param header the header's value, or null when there is none
 */
export function parseChallenges(header: string | null): readonly Challenge[] {
  const challenges: MutableChallenge[] = []
  const part = new RegExp(
    `\\s*,\\s*|(${TOKEN})\\s*=\\s*(${QUOTED}|${TOKEN})|(${TOKEN}=*)|\\s+|.`,
    'gs',
  )
  let mayBeToken = false
  for (const [match, name, value, word] of (header ?? '')
    .slice(0, MAX_CHALLENGE_CHARS)
    .matchAll(part)) {
    if (name !== undefined && value !== undefined) {
      addParam(challenges.at(-1), name.toLowerCase(), unquoted(value))
      mayBeToken = false
    } else if (word !== undefined) {
      if (!mayBeToken) challenges.push({ scheme: word.toLowerCase(), params: new Map() })
      mayBeToken = !mayBeToken
    } else if (match.includes(',')) mayBeToken = false
  }
  return challenges
}

/**
 * The first challenge that asks for a bearer token.
 *
 * @param header the header's value, or null when there is none
 */
export function bearerChallenge(header: string | null): Challenge | undefined {
  return parseChallenges(header).find((challenge) => challenge.scheme === 'bearer')
}

/**
 * Writes a challenge. Whatever a value holds, it stays inside its quotes: quotes and backslashes
 * are escaped, and what a header cannot carry becomes a space or a question mark.
 *
 * @param scheme the scheme, such as `Bearer`
 * @param params by name; those that are undefined are left out
 */
export function formatChallenge(
  scheme: string,
  params: Readonly<Record<string, string | undefined>>,
): string {
  const parts: string[] = []
  for (const [name, value] of Object.entries(params)) {
    if (value !== undefined) parts.push(`${name}=${quoted(value)}`)
  }
  return parts.length === 0 ? scheme : `${scheme} ${parts.join(', ')}`
}

function addParam(challenge: MutableChallenge | undefined, name: string, value: string): void {
  if (challenge !== undefined && !challenge.params.has(name)) challenge.params.set(name, value)
}

function quoted(value: string): string {
  const safe = value.replace(/\s+/g, ' ').replace(/[^ -~]/gu, '?')
  return `"${safe.replace(/["\\]/g, '\\$&')}"`
}

function unquoted(value: string): string {
  return value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/gs, '$1') : value
}
