/**
 * Serving MCP from Node: `mcp-edge/node`.
 *
 * Needs the optional peers `@hono/node-server` and `hono`.
 *
 * @module
 */
export { toNodeHandler, type NodeHandler } from './node-handler.ts'
export { serve } from './serve.ts'
export type {
  ListenOptions,
  RunningServer,
  ServeOptions,
  ServeParameters,
} from '../http/listening.ts'
