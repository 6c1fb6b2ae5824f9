/**
 * The suite in a page: leaves a function that runs it.
 *
 * @module
 */
import { runSuite } from './suite.ts'

Object.assign(globalThis, { runSuite })
