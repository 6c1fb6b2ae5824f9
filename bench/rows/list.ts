/**
 * `tools/list` of one, a hundred and a thousand tools.
 *
 * @module
 */
import { listLoad } from '../harness/load.ts'
import type { Goal, RateRow, Setup } from '../harness/types.ts'

/** Lists; only the long one has a goal of its own, the short one that of any JSON answer. */
export const listRows: readonly RateRow[] = [
  row('list-1', 1, { atMost: 1.25, of: 'ratio' }),
  row('list-100', 100, undefined),
  row('list-1000', 1000, { atMost: 0.45, of: 'ratio' }),
]

function row(name: string, tools: number, goal: Goal | undefined): RateRow {
  const modern: Setup = { mode: 'modern', form: 'json', tool: 'schema', tools }
  return {
    kind: 'rate',
    name,
    about: `tools/list of ${tools.toLocaleString('en').replace(',', ' ')}`,
    floor: 'raw',
    peers: ['raw', 'mcp-lite', 'official', 'ours'],
    goal,
    // A peer without the modern wire is compared over the same list on the legacy one.
    load: async (peer) =>
      (await listLoad(peer, modern)) ?? listLoad(peer, { ...modern, mode: 'stateless' }),
  }
}
