/**
 * `tools/call` in every mode and form.
 *
 * @module
 */
import { callLoad } from '../harness/load.ts'
import { PEER_NAMES } from '../harness/types.ts'
import type { Goal, PeerName, RateRow, Setup } from '../harness/types.ts'

const JSON_GOAL: Goal = { atMost: 1.25, of: 'ratio' }
const SSE_GOAL: Goal = { atMost: 1.4, of: 'ratio' }
const UNCHECKED: readonly PeerName[] = ['raw', 'mcp-lite', 'official', 'ours']

/** Calls without arguments: the floor is a handler that checks nothing. */
export const callRows: readonly RateRow[] = [
  row('call-modern-json', 'tools/call, modern, JSON', plain('modern', 'json')),
  row('call-stateless-json', 'tools/call, stateless legacy, JSON', plain('stateless', 'json')),
  row('call-modern-sse', 'tools/call, modern, SSE', plain('modern', 'sse')),
  row('call-stateless-sse', 'tools/call, stateless legacy, SSE', plain('stateless', 'sse')),
  checked('call-modern-schema', 'tools/call, modern, five fields checked by zod', {
    ...plain('modern', 'json'),
    tool: 'schema',
  }),
  checked('call-stateless-schema', 'tools/call, stateless, five fields checked by zod', {
    ...plain('stateless', 'json'),
    tool: 'schema',
  }),
  checked('call-64k', 'tools/call, modern, 64 KiB both ways', {
    ...plain('modern', 'json'),
    tool: 'echo',
  }),
]

/** The same inside a session. */
export const statefulCallRows: readonly RateRow[] = [
  row('call-stateful-json', 'tools/call, stateful, JSON', plain('stateful', 'json')),
  row('call-stateful-sse', 'tools/call, stateful, SSE', plain('stateful', 'sse')),
]

/** One tool of a thousand against the only one. */
export const manyRow: RateRow = {
  kind: 'rate',
  name: 'call-among-1000',
  about: 'tools/call among 1 000 tools over among 1',
  floor: 'own',
  peers: UNCHECKED,
  goal: { atMost: 1.1, of: 'ratio' },
  load: (peer) => callLoad(peer, { ...plain('modern', 'json'), tools: 1000 }),
  base: (peer) => callLoad(peer, plain('modern', 'json')),
}

function plain(mode: Setup['mode'], form: Setup['form']): Setup {
  return { mode, form, tool: 'plain', tools: 1 }
}

function row(name: string, about: string, setup: Setup): RateRow {
  return {
    kind: 'rate',
    name,
    about,
    floor: 'raw',
    peers: UNCHECKED,
    goal: setup.form === 'sse' ? SSE_GOAL : JSON_GOAL,
    load: (peer) => callLoad(peer, setup),
  }
}

function checked(name: string, about: string, setup: Setup): RateRow {
  return { ...row(name, about, setup), floor: 'raw-zod', peers: PEER_NAMES }
}
