/**
 * The client: `mcp-edge/client`.
 *
 * @module
 */
export { Client } from './client.ts'
export { defaultsOf } from '../schema/form-defaults.ts'
export { memoryCache } from './cache.ts'
export { bearerToken } from './auth.ts'
export {
  ClientError,
  HttpError,
  InputRequiredError,
  InvalidResponseError,
  MessageTooLargeError,
  NegotiationError,
  NetworkError,
  OutputValidationError,
  RequestRejected,
  SessionLostError,
  StreamBrokenError,
  UnauthorizedError,
} from './errors.ts'
export { ConnectionClosedError, RequestTimeoutError } from '../rpc/errors.ts'
export { isMcpError, McpError } from '../protocol/errors.ts'
export type { AuthChallenge, AuthProvider, AuthRequest } from './auth.ts'
export type { CacheEntry, CacheStore } from './cache.ts'
export type {
  ElicitationHandler,
  ElicitationModes,
  QuestionContext,
  QuestionHandler,
  RootsHandler,
  SamplingHandler,
  SamplingModes,
} from './answers.ts'
export type { ListenEvent, Subscription } from './listen.ts'
export type { Change } from './listen-filter.ts'
export type { Listing } from './pages.ts'
export type { FetchRequest, HeadersLike, HeadersSource } from './http/sender.ts'
export type {
  CallOptions,
  ClientOptions,
  ConnectOptions,
  NegotiationMode,
  PageOptions,
  ReadOptions,
  RequestOptions,
  ServerNotification,
  Verdict,
} from './options.ts'
export type {
  Connector,
  Exchange,
  FetchTarget,
  Target,
  Transport,
  TransportHost,
} from './transport.ts'
export type { InputOf, OutputOf, ToolDefinitions, TypedClient, TypedResult } from './typed.ts'
export type { ProgressUpdate } from '../rpc/pending.ts'
