/**
 * The suite in a process: prints the outcomes. The last argument is the URL of a server.
 *
 * @module
 */
import process from 'node:process'
import { runSuite } from './suite.ts'

console.log(JSON.stringify(await runSuite(process.argv.at(-1))))
