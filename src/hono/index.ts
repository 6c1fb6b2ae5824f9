/**
 * `mcp-edge/hono`: a server as a Hono app. Needs the optional peers `hono`, `@hono/zod-validator` and
 * `zod`.
 *
 * @module
 */
export { mcp } from './mcp.ts'
export type { McpAppOptions, McpParameters, NotifyOptions } from './mcp.ts'
