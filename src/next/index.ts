/**
 * `mcp-edge/next`: a server as the route handlers of the Next.js App Router.
 *
 * @module
 */
export { route } from './route.ts'
export type { RouteHandler, RouteHandlers, RouteOptions, RouteParameters } from './route.ts'
