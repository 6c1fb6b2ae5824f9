/**
 * `mcp-edge/server`: a server without HTTP, for stdio and for carriers of your own.
 *
 * @module
 */
export type { CacheHints, CacheOptions } from './cache-hints.ts'
export type { Call, Caller, Delivery, HeaderLookup, Outbox } from './call.ts'
export { audio, embedded, image, resourceLink, text } from './content.ts'
export { Context } from './context.ts'
export type { ClientView, DataOf, EnvOf, ServerTypes } from './context.ts'
export { definePrompt, defineResource, defineResourceTemplate, defineTool } from './define.ts'
export type { ToolDefinition } from './define.ts'
export type {
  AnyDefinition,
  AnyPrompt,
  AnyResource,
  AnyResourceTemplate,
  AnyTool,
  Completer,
  CompletionValues,
} from './definitions.ts'
export {
  legacyTitledSelect,
  multiSelect,
  singleSelect,
  titledMultiSelect,
  titledSingleSelect,
} from './enum-schemas.ts'
export type { Answer, Body } from './eras/era.ts'
export type { Extension, ExtensionHost, ResultDecorator } from './extension.ts'
export type { CompletionFallback, CompletionReference } from './features/completion.ts'
export type { CachedContents, ReadContents, ReadReturn } from './features/resource-contents.ts'
export type { AroundRequest, RequestInfo } from './hooks.ts'
export { InsufficientScopeError } from './insufficient-scope.ts'
export { inputRequired } from './input-required/result.ts'
export type { InputRequired, InputRequiredInit } from './input-required/result.ts'
export type { RequestStateOptions } from './input-required/request-states.ts'
export type {
  FormAnswer,
  FormContent,
  FormQuestion,
  QuestionOptions,
  UrlAnswer,
  UrlQuestion,
} from './ask/elicitation.ts'
export type { Sample, SampleQuestion } from './ask/sampling.ts'
export type { Log, LogOptions } from './log.ts'
export { assistantMessage, userMessage } from './messages.ts'
export type { Change, Notifier, Publish } from './notifier.ts'
export type { ServerOptions } from './options.ts'
export type { ProgressOptions } from './progress.ts'
export type { ErrorPlace, OnError, OnWarning } from './report.ts'
export { McpServer } from './server.ts'
export { toolResult } from './tool-result.ts'
export type { ToolResultInit, ToolResultValue } from './tool-result.ts'
export type { ToolConfig, ToolHandler, ToolReturn } from './tool-types.ts'
export { ToolError } from '../protocol/errors.ts'
export { RequestTimeoutError } from '../rpc/errors.ts'
