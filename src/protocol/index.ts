/**
 * The wire of MCP: message shapes of every revision, methods, errors, headers and documents. The
 * `mcp-edge/protocol` entry; it depends on nothing and does nothing by itself.
 *
 * @module
 */
export {
  LEGACY_REVISIONS,
  MODERN_REVISIONS,
  ASSUMED_REVISION,
  LATEST_LEGACY_REVISION,
  LATEST_MODERN_REVISION,
  isLegacyRevision,
  isModernRevision,
  isRevision,
  featuresOf,
} from './versions.ts'
export type { Era, LegacyRevision, ModernRevision, Revision, RevisionFeatures } from './versions.ts'
export {
  JSONRPC_VERSION,
  PROTOCOL_VERSION_HEADER,
  SESSION_ID_HEADER,
  LAST_EVENT_ID_HEADER,
  METHOD_HEADER,
  NAME_HEADER,
  PARAM_HEADER_PREFIX,
  META_PROTOCOL_VERSION,
  META_CLIENT_CAPABILITIES,
  META_CLIENT_INFO,
  META_LOG_LEVEL,
  META_SERVER_INFO,
  META_SUBSCRIPTION_ID,
  JSON_TYPE,
  EVENT_STREAM_TYPE,
  APPS_EXTENSION,
  TASKS_EXTENSION,
} from './constants.ts'
export {
  isRecord,
  isRequestId,
  kindOf,
  isRequest,
  isNotification,
  isResponse,
  isErrorObject,
  readableId,
} from './jsonrpc.ts'
export type {
  JsonValue,
  JsonObject,
  RequestId,
  ProgressToken,
  Params,
  JSONRPCRequest,
  JSONRPCNotification,
  ErrorObject,
  JSONRPCResultResponse,
  JSONRPCErrorResponse,
  JSONRPCResponse,
  JSONRPCMessage,
  MessageKind,
} from './jsonrpc.ts'
export {
  PARSE_ERROR,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  INVALID_PARAMS,
  INTERNAL_ERROR,
  RESOURCE_NOT_FOUND,
  URL_ELICITATION_REQUIRED,
  HEADER_MISMATCH,
  MISSING_CLIENT_CAPABILITY,
  UNSUPPORTED_PROTOCOL_VERSION,
  REQUEST_REJECTED,
  McpError,
  ParseError,
  InvalidRequestError,
  MethodNotFoundError,
  InvalidParamsError,
  InternalError,
  ResourceNotFoundError,
  HeaderMismatchError,
  MissingRequiredClientCapabilityError,
  UnsupportedProtocolVersionError,
  UrlElicitationRequiredError,
  ToolError,
  isMcpError,
  isToolError,
  toMcpError,
  errorResponse,
} from './errors.ts'
export type { McpErrorOptions, RequiredUrl } from './errors.ts'
export { METHODS, isMethod } from './methods.ts'
export type {
  Receiver,
  MethodTraits,
  Methods,
  Method,
  RequestMethod,
  NotificationMethod,
  ParamsOf,
  ResultOf,
} from './methods.ts'
export { missingEnvelope, readEnvelope, traceContextOf, isMetaKey, isExtensionKey } from './meta.ts'
export type { Envelope, BadEnvelope, TraceContext } from './meta.ts'
export type {
  MetaObject,
  RequestMetaObject,
  RequestParams,
  NotificationParams,
  Cursor,
  PaginatedRequestParams,
  InputResponseRequestParams,
} from './params.ts'
export type {
  ResultType,
  ResultMetaObject,
  Result,
  EmptyResult,
  CacheScope,
  CacheableResult,
  PaginatedResult,
} from './result.ts'
export { isInputRequired } from './input-required.ts'
export type {
  ElicitRequest,
  CreateMessageRequest,
  ListRootsRequest,
  InputRequest,
  InputRequests,
  InputResponse,
  InputResponses,
  InputRequiredResult,
} from './input-required.ts'
export { isImplementation } from './implementation.ts'
export type { Icon, Implementation } from './implementation.ts'
export {
  isClientCapabilities,
  isServerCapabilities,
  extensionSettings,
  missingCapabilities,
} from './capabilities.ts'
export type {
  Settings,
  Extensions,
  RootsCapability,
  SamplingCapability,
  ElicitationCapability,
  ClientCapabilities,
  ListChangedCapability,
  ResourcesCapability,
  ServerCapabilities,
} from './capabilities.ts'
export type {
  InitializeRequestParams,
  InitializeResult,
  DiscoverResult,
  CancelledNotificationParams,
} from './lifecycle.ts'
export type {
  Role,
  Annotations,
  TextContent,
  ImageContent,
  AudioContent,
  ResourceContents,
  TextResourceContents,
  BlobResourceContents,
  EmbeddedResource,
  ResourceLink,
  ContentBlock,
} from './content.ts'
export type {
  ToolInputSchema,
  ToolOutputSchema,
  ToolAnnotations,
  Tool,
  ListToolsResult,
  CallToolRequestParams,
  CallToolResult,
  ToolTypes,
} from './tools.ts'
export type {
  PromptArgument,
  Prompt,
  PromptMessage,
  ListPromptsResult,
  GetPromptRequestParams,
  GetPromptResult,
} from './prompts.ts'
export type {
  Resource,
  ResourceTemplate,
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceRequestParams,
  ReadResourceResult,
  SubscribeRequestParams,
  UnsubscribeRequestParams,
  ResourceUpdatedNotificationParams,
} from './resources.ts'
export type {
  PromptReference,
  ResourceTemplateReference,
  CompletionArgument,
  CompletionContext,
  CompleteRequestParams,
  Completion,
  CompleteResult,
} from './completion.ts'
export { LOGGING_LEVELS, isLoggingLevel, isAtLeast } from './logging.ts'
export type {
  LoggingLevel,
  SetLevelRequestParams,
  LoggingMessageNotificationParams,
} from './logging.ts'
export { isProgressToken } from './progress.ts'
export type { ProgressNotificationParams } from './progress.ts'
export type { Root, ListRootsRequestParams, ListRootsResult } from './roots.ts'
export type {
  ToolUseContent,
  ToolResultContent,
  SamplingMessageContentBlock,
  SamplingMessage,
  ModelHint,
  ModelPreferences,
  ToolChoice,
  CreateMessageRequestParams,
  CreateMessageResult,
} from './sampling.ts'
export type {
  StringSchema,
  NumberSchema,
  BooleanSchema,
  TitledOption,
  UntitledSingleSelectEnumSchema,
  TitledSingleSelectEnumSchema,
  SingleSelectEnumSchema,
  UntitledMultiSelectEnumSchema,
  TitledMultiSelectEnumSchema,
  MultiSelectEnumSchema,
  LegacyTitledEnumSchema,
  EnumSchema,
  PrimitiveSchemaDefinition,
  RequestedSchema,
  ElicitRequestFormParams,
  ElicitRequestURLParams,
  ElicitRequestParams,
  ElicitValue,
  ElicitResult,
  ElicitationCompleteNotificationParams,
} from './elicitation.ts'
export type {
  SubscriptionFilter,
  SubscriptionsListenRequestParams,
  SubscriptionsAcknowledgedNotificationParams,
  SubscriptionsListenResultMetaObject,
  SubscriptionsListenResult,
} from './subscriptions.ts'
export { encodeHeaderValue, decodeHeaderValue } from './header-value.ts'
export {
  PARAM_HEADER_KEYWORD,
  scanParamHeaders,
  paramHeaderValue,
  paramHeaderProblem,
} from './param-headers.ts'
export type { ParamHeader, ParamHeaderScan } from './param-headers.ts'
export {
  RESOURCE_METADATA_PATH,
  SERVER_METADATA_PATH,
  OPENID_CONFIGURATION_PATH,
  resourceMetadataUrl,
  resourceMetadataUrls,
  serverMetadataUrls,
} from './authorization.ts'
export type { ProtectedResourceMetadata, AuthorizationServerMetadata } from './authorization.ts'
export { parseChallenges, bearerChallenge, formatChallenge } from './challenge.ts'
export type { Challenge } from './challenge.ts'
export { principalOf, missingScopes, scopeChallenge } from './auth-info.ts'
export type { AuthInfo, Authenticate } from './auth-info.ts'
export { APP_MIME_TYPE, APP_URI_SCHEME, META_UI, META_UI_RESOURCE_URI } from './apps.ts'
export type {
  AppsClientSettings,
  AppVisibility,
  ToolUiMeta,
  AppContentSecurityPolicy,
  AppPermissions,
  ResourceUiMeta,
} from './apps.ts'
