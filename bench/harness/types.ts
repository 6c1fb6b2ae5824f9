/**
 * The vocabulary of the benchmark: peers, setups, rows, goals and what a measurement yields.
 *
 * @module
 */

/** Who is measured. `raw` is the floor; `raw-zod` the floor that validates with the same schema. */
export type PeerName = 'raw' | 'raw-zod' | 'mcp-lite' | 'official' | 'ours'

/** Every peer, in the order of the printed columns. */
export const PEER_NAMES: readonly PeerName[] = ['raw', 'raw-zod', 'mcp-lite', 'official', 'ours']

/** What a peer is asked to serve. */
export interface Setup {
  readonly mode: 'modern' | 'stateless' | 'stateful'
  readonly form: 'json' | 'sse'
  /** `plain` takes no arguments, `schema` five validated fields, `echo` one long text, `ask` a question. */
  readonly tool: 'plain' | 'schema' | 'echo' | 'ask'
  /** How many tools the server has; the one that is called is the middle one. */
  readonly tools: number
}

/** One running server, reached as a client would reach it. */
export interface Endpoint {
  readonly fetch: (request: Request) => Promise<Response>
  /** The `Accept` header with which a client gets the wanted form from this peer. */
  readonly accept: string
  /** The form it answers in when it has no choice. */
  readonly always?: Setup['form'] | undefined
  /** Publishes one change of `bench://watched` (listen streams) or of the tool list (GET streams). */
  readonly publish?: (() => void) | undefined
}

/** Makes servers of one implementation; `undefined` when it has no such feature. */
export interface Peer {
  readonly name: PeerName
  open(setup: Setup): Endpoint | undefined
}

/** Something that can be run many times in a measured slice. */
export interface Load {
  /** Performs `count` operations one after the other. */
  run(count: number): Promise<void>
  /** Makes ready for a slice, outside the measured time. */
  reset?: (() => Promise<void>) | undefined
  /** Operations a slice has at most, where state would grow without end. */
  readonly most?: number | undefined
}

/** What a measured value must not exceed. */
export interface Goal {
  readonly atMost: number
  /** `ratio` to the floor, `over` the floor (a difference), or the `value` itself. */
  readonly of: 'ratio' | 'over' | 'value'
  /** Exact counters get no tolerance in `--check`. */
  readonly exact?: boolean | undefined
  /** Where the goal is not reached yet: what has been, and what `--check` keeps instead. */
  readonly reached?: number | undefined
}

/** A row whose result is CPU per operation, measured in interleaved slices. */
export interface RateRow {
  readonly kind: 'rate'
  readonly name: string
  readonly about: string
  /** The peer that is the denominator, or `own`: the same peer under `base`. */
  readonly floor: PeerName | 'own'
  readonly peers: readonly PeerName[]
  readonly goal?: Goal | undefined
  load(peer: Peer): Promise<Load | undefined>
  /** The load that is the denominator when `floor` is `own`. */
  base?: ((peer: Peer) => Promise<Load | undefined>) | undefined
}

/** One named result of a figures row. */
export interface Figure {
  readonly key: string
  readonly unit: string
  readonly goal?: Goal | undefined
}

/** A row whose results are counted or weighed, one fresh process for each repeat. */
export interface FiguresRow {
  readonly kind: 'figures'
  readonly name: string
  readonly about: string
  readonly floor: PeerName
  readonly peers: readonly PeerName[]
  readonly repeats: number
  readonly figures: readonly Figure[]
  measure(peer: Peer): Promise<Readonly<Record<string, number>> | undefined>
}

/** Either kind of row. */
export type Row = RateRow | FiguresRow

/** What one line of the report says: a value for each peer, and what became of the goal. */
export interface Line {
  readonly row: string
  readonly unit: string
  readonly floor: PeerName | 'own'
  readonly values: ReadonlyMap<PeerName, number>
  /** Value over the floor, as the median of paired slices where slices exist. */
  readonly ratios: ReadonlyMap<PeerName, number>
  readonly goal?: Goal | undefined
}
