/**
 * `mcp-edge`: a Model Context Protocol server as a function from Request to Response.
 *
 * @module
 */
export * from './http/index.ts'
export * from './server/index.ts'
export {
  InvalidParamsError,
  isMcpError,
  McpError,
  MissingRequiredClientCapabilityError,
  ResourceNotFoundError,
  UrlElicitationRequiredError,
} from './protocol/errors.ts'
export type { RequiredUrl } from './protocol/errors.ts'
export type { Authenticate, AuthInfo } from './protocol/auth-info.ts'
export type { ContentBlock } from './protocol/content.ts'
export type { Implementation } from './protocol/implementation.ts'
export type { PromptMessage } from './protocol/prompts.ts'
export type { Tool } from './protocol/tools.ts'
export type { Era, Revision } from './protocol/versions.ts'
export { memoryBus } from './stores/memory-bus.ts'
export { memoryEvents } from './stores/memory-events.ts'
export { memorySessions } from './stores/memory-sessions.ts'
