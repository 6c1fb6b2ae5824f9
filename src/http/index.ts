/**
 * `mcp-edge/http`: a server as a function from Request to Response.
 *
 * @module
 */
export { createHandler } from './handler.ts'
export type { Handler, HandlerSetup, HandlerStats, OptionsFor, SetupFor } from './handler.ts'
export type { AllowedHosts } from './guards/host.ts'
export type { ContextSource, HandlerLimits, HandlerOptions } from './options.ts'
export { handlerIn, nameOf, toListening } from './listening.ts'
export type {
  ClosingSignal,
  Listening,
  ListenOptions,
  PlacedOptions,
  RunningServer,
  ServeOptions,
  ServeParameters,
  SignalSource,
  StopServer,
} from './listening.ts'
