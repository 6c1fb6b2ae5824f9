/**
 * Both ends of stdio: `mcp-edge/stdio`.
 *
 * @module
 */
export { stdio } from './stdio.ts'
export type { StdioOptions } from './stdio.ts'
export type { StderrTarget } from './child.ts'
