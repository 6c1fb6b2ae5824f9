/**
 * Every row of the benchmark, in the order of the report.
 *
 * @module
 */
import type { Row } from '../harness/types.ts'
import { bundleRow, coldStartRow } from './bundle.ts'
import { callRows, manyRow, statefulCallRows } from './call.ts'
import { clientStreamRow } from './client.ts'
import { countersRow } from './counters.ts'
import { getStreamRow, listenRows } from './fan-out.ts'
import { listRows } from './list.ts'
import { sealedRow } from './sealed.ts'
import { workerdCallRow, workerdColdRow } from './workerd.ts'
import { sessionMemoryRow, sessionRateRow } from './sessions.ts'

const STATELESS: readonly Row[] = [
  ...callRows,
  ...listRows,
  manyRow,
  countersRow,
  bundleRow,
  coldStartRow,
  workerdCallRow,
  workerdColdRow,
  clientStreamRow,
]
const SESSIONS: readonly Row[] = [
  ...statefulCallRows,
  sessionRateRow,
  sessionMemoryRow,
  getStreamRow,
]
const LISTENING: readonly Row[] = [...listenRows, sealedRow]

// Rows of what we do not serve yet show the peers alone.
const OURS: ReadonlySet<Row> = new Set<Row>([...STATELESS, ...SESSIONS, ...listenRows])

/** All rows. */
export const ROWS: readonly Row[] = [...STATELESS, ...SESSIONS, ...LISTENING]

/** Whether our own server is measured in a row. */
export function measuresOurs(row: Row): boolean {
  return OURS.has(row)
}

/** The row with this name. */
export function rowNamed(name: string): Row {
  const row = ROWS.find((candidate) => candidate.name === name)
  if (row === undefined) throw new Error(`there is no row ${name}`)
  return row
}
