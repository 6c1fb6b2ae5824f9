/**
 * Every method of the core protocol: what it carries, who may send it, and in which era.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/schema
 * @module
 */
import type { CompleteRequestParams, CompleteResult } from './completion.ts'
import type {
  ElicitationCompleteNotificationParams,
  ElicitRequestParams,
  ElicitResult,
} from './elicitation.ts'
import type { InputRequiredResult } from './input-required.ts'
import type {
  CancelledNotificationParams,
  DiscoverResult,
  InitializeRequestParams,
  InitializeResult,
} from './lifecycle.ts'
import type { LoggingMessageNotificationParams, SetLevelRequestParams } from './logging.ts'
import type { NotificationParams, PaginatedRequestParams, RequestParams } from './params.ts'
import type { ProgressNotificationParams } from './progress.ts'
import type { GetPromptRequestParams, GetPromptResult, ListPromptsResult } from './prompts.ts'
import type {
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceRequestParams,
  ReadResourceResult,
  ResourceUpdatedNotificationParams,
  SubscribeRequestParams,
  UnsubscribeRequestParams,
} from './resources.ts'
import type { EmptyResult } from './result.ts'
import type { ListRootsRequestParams, ListRootsResult } from './roots.ts'
import type { CreateMessageRequestParams, CreateMessageResult } from './sampling.ts'
import type {
  SubscriptionsAcknowledgedNotificationParams,
  SubscriptionsListenRequestParams,
  SubscriptionsListenResult,
} from './subscriptions.ts'
import type { CallToolRequestParams, CallToolResult, ListToolsResult } from './tools.ts'
import type { Era } from './versions.ts'

/** Who receives a message. */
export type Receiver = 'server' | 'client' | 'both'

/** What holds for a method besides the shapes it carries. */
export interface MethodTraits {
  readonly kind: 'request' | 'notification'
  readonly to: Receiver
  /** The era whose wire has it as a message of its own. */
  readonly era: Era | 'both'
}

interface Request<To extends Receiver, In extends Era | 'both', P, R> {
  readonly kind: 'request'
  readonly to: To
  readonly era: In
  readonly params: P
  readonly result: R
}

interface Notification<To extends Receiver, In extends Era | 'both', P = NotificationParams> {
  readonly kind: 'notification'
  readonly to: To
  readonly era: In
  readonly params: P
}

/** The shapes and traits of each method. */
export interface Methods {
  readonly initialize: Request<'server', 'legacy', InitializeRequestParams, InitializeResult>
  readonly ping: Request<'both', 'legacy', RequestParams, EmptyResult>
  readonly 'server/discover': Request<'server', 'modern', RequestParams, DiscoverResult>
  readonly 'tools/list': Request<'server', 'both', PaginatedRequestParams, ListToolsResult>
  readonly 'tools/call': Request<
    'server',
    'both',
    CallToolRequestParams,
    CallToolResult | InputRequiredResult
  >
  readonly 'resources/list': Request<'server', 'both', PaginatedRequestParams, ListResourcesResult>
  readonly 'resources/templates/list': Request<
    'server',
    'both',
    PaginatedRequestParams,
    ListResourceTemplatesResult
  >
  readonly 'resources/read': Request<
    'server',
    'both',
    ReadResourceRequestParams,
    ReadResourceResult | InputRequiredResult
  >
  readonly 'resources/subscribe': Request<'server', 'legacy', SubscribeRequestParams, EmptyResult>
  readonly 'resources/unsubscribe': Request<
    'server',
    'legacy',
    UnsubscribeRequestParams,
    EmptyResult
  >
  readonly 'subscriptions/listen': Request<
    'server',
    'modern',
    SubscriptionsListenRequestParams,
    SubscriptionsListenResult
  >
  readonly 'prompts/list': Request<'server', 'both', PaginatedRequestParams, ListPromptsResult>
  readonly 'prompts/get': Request<
    'server',
    'both',
    GetPromptRequestParams,
    GetPromptResult | InputRequiredResult
  >
  readonly 'completion/complete': Request<'server', 'both', CompleteRequestParams, CompleteResult>
  readonly 'logging/setLevel': Request<'server', 'legacy', SetLevelRequestParams, EmptyResult>
  readonly 'sampling/createMessage': Request<
    'client',
    'legacy',
    CreateMessageRequestParams,
    CreateMessageResult
  >
  readonly 'roots/list': Request<'client', 'legacy', ListRootsRequestParams, ListRootsResult>
  readonly 'elicitation/create': Request<'client', 'legacy', ElicitRequestParams, ElicitResult>
  readonly 'notifications/initialized': Notification<'server', 'legacy'>
  readonly 'notifications/cancelled': Notification<'both', 'both', CancelledNotificationParams>
  readonly 'notifications/progress': Notification<'both', 'both', ProgressNotificationParams>
  readonly 'notifications/message': Notification<'client', 'both', LoggingMessageNotificationParams>
  readonly 'notifications/roots/list_changed': Notification<'server', 'legacy'>
  readonly 'notifications/tools/list_changed': Notification<'client', 'both'>
  readonly 'notifications/prompts/list_changed': Notification<'client', 'both'>
  readonly 'notifications/resources/list_changed': Notification<'client', 'both'>
  readonly 'notifications/resources/updated': Notification<
    'client',
    'both',
    ResourceUpdatedNotificationParams
  >
  readonly 'notifications/subscriptions/acknowledged': Notification<
    'client',
    'modern',
    SubscriptionsAcknowledgedNotificationParams
  >
  readonly 'notifications/elicitation/complete': Notification<
    'client',
    'legacy',
    ElicitationCompleteNotificationParams
  >
}

/** The name of a method of the core protocol. */
export type Method = keyof Methods

/** The name of a request. */
export type RequestMethod = {
  [M in Method]: Methods[M] extends { readonly kind: 'request' } ? M : never
}[Method]

/** The name of a notification. */
export type NotificationMethod = Exclude<Method, RequestMethod>

/** The parameters of a method. */
export type ParamsOf<M extends Method> = Methods[M]['params']

/** The result of a request. */
export type ResultOf<M extends RequestMethod> = Methods[M]['result']

/** The traits of each method; its type holds it to {@link Methods}, entry by entry. */
export const METHODS: { readonly [M in Method]: Pick<Methods[M], keyof MethodTraits> } = {
  initialize: { kind: 'request', to: 'server', era: 'legacy' },
  ping: { kind: 'request', to: 'both', era: 'legacy' },
  'server/discover': { kind: 'request', to: 'server', era: 'modern' },
  'tools/list': { kind: 'request', to: 'server', era: 'both' },
  'tools/call': { kind: 'request', to: 'server', era: 'both' },
  'resources/list': { kind: 'request', to: 'server', era: 'both' },
  'resources/templates/list': { kind: 'request', to: 'server', era: 'both' },
  'resources/read': { kind: 'request', to: 'server', era: 'both' },
  'resources/subscribe': { kind: 'request', to: 'server', era: 'legacy' },
  'resources/unsubscribe': { kind: 'request', to: 'server', era: 'legacy' },
  'subscriptions/listen': { kind: 'request', to: 'server', era: 'modern' },
  'prompts/list': { kind: 'request', to: 'server', era: 'both' },
  'prompts/get': { kind: 'request', to: 'server', era: 'both' },
  'completion/complete': { kind: 'request', to: 'server', era: 'both' },
  'logging/setLevel': { kind: 'request', to: 'server', era: 'legacy' },
  'sampling/createMessage': { kind: 'request', to: 'client', era: 'legacy' },
  'roots/list': { kind: 'request', to: 'client', era: 'legacy' },
  'elicitation/create': { kind: 'request', to: 'client', era: 'legacy' },
  'notifications/initialized': { kind: 'notification', to: 'server', era: 'legacy' },
  'notifications/cancelled': { kind: 'notification', to: 'both', era: 'both' },
  'notifications/progress': { kind: 'notification', to: 'both', era: 'both' },
  'notifications/message': { kind: 'notification', to: 'client', era: 'both' },
  'notifications/roots/list_changed': { kind: 'notification', to: 'server', era: 'legacy' },
  'notifications/tools/list_changed': { kind: 'notification', to: 'client', era: 'both' },
  'notifications/prompts/list_changed': { kind: 'notification', to: 'client', era: 'both' },
  'notifications/resources/list_changed': { kind: 'notification', to: 'client', era: 'both' },
  'notifications/resources/updated': { kind: 'notification', to: 'client', era: 'both' },
  'notifications/subscriptions/acknowledged': {
    kind: 'notification',
    to: 'client',
    era: 'modern',
  },
  'notifications/elicitation/complete': { kind: 'notification', to: 'client', era: 'legacy' },
}

/**
 * Tells whether `name` is a method of the core protocol, which nobody may define anew.
 *
 * @param name a method name from the wire or a definition
 */
export function isMethod(name: string): name is Method {
  return Object.hasOwn(METHODS, name)
}
