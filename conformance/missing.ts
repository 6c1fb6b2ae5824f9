/**
 * Prints the ids that still lack a test: `node conformance/missing.ts 1 2` for parts 1 and 2.
 *
 * @module
 */

import { ledgerProblems } from './requirements.ts'
import { readTitles } from './requirements/read-titles.ts'

const parts = process.argv.slice(2).map(Number)
const problems = ledgerProblems(await readTitles(), parts)
for (const problem of problems) console.log(problem)
console.log(`${problems.length} without a test`)
