/**
 * Serving MCP from Node: `mcp-edge/node`.
 *
 * Needs the optional peers `@hono/node-server` and `hono`.
 *
 * @module
 */
export { toNodeHandler, type NodeHandler } from './node-handler.ts'
export {
  serve,
  type ListenOptions,
  type RunningServer,
  type ServeOptions,
  type ServeParameters,
} from './serve.ts'
