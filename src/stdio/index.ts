/**
 * Both ends of stdio: `mcp-edge/stdio`.
 *
 * @module
 */
export { stdio } from './stdio.ts'
export type { StdioOptions } from './stdio.ts'
export type { StderrTarget } from './child.ts'
export { serveStdio } from './serve-stdio.ts'
export type {
  ServeStdioOptions,
  ServeStdioParameters,
  StdioOptionsFor,
  StdioServer,
} from './serve-stdio.ts'
export type { ConversationOptions } from './conversation.ts'
