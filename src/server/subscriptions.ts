/**
 * Changes on their way from whoever publishes them to whoever subscribed: as events of a bus, and as
 * the notifications that they become. Knows no transport.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/utilities/subscriptions
 * @module
 */
import { extensionSettings } from '../protocol/capabilities.ts'
import type { ClientCapabilities, ServerCapabilities } from '../protocol/capabilities.ts'
import { META_SERVER_INFO, META_SUBSCRIPTION_ID, TASKS_EXTENSION } from '../protocol/constants.ts'
import { InvalidParamsError, MissingRequiredClientCapabilityError } from '../protocol/errors.ts'
import type { Implementation } from '../protocol/implementation.ts'
import { isRecord } from '../protocol/jsonrpc.ts'
import type { Params, RequestId } from '../protocol/jsonrpc.ts'
import { MAX_URI_CHARS } from '../protocol/limits.ts'
import type { SubscriptionFilter } from '../protocol/subscriptions.ts'
import {
  ELICITATIONS_TOPIC,
  LOG_TOPIC,
  PROMPTS_TOPIC,
  RESOURCES_TOPIC,
  resourceTopic,
  TOOLS_TOPIC,
} from '../stores/bus.ts'
import type { BusEvent } from '../stores/bus.ts'
import type { Change } from './notifier.ts'

/**
 * A change as an event: its data is the finished notification as JSON text, made once for all who
 * receive it.
 *
 * @param change what changed
 */
export function toBusEvent(change: Change): BusEvent {
  switch (change.kind) {
    case 'tools':
      return listChanged(TOOLS_TOPIC, 'tools')
    case 'prompts':
      return listChanged(PROMPTS_TOPIC, 'prompts')
    case 'resources':
      return listChanged(RESOURCES_TOPIC, 'resources')
    case 'resource':
      return {
        topic: resourceTopic(change.uri),
        data: notification('resources/updated', { uri: change.uri }),
      }
    case 'elicitation':
      return {
        topic: ELICITATIONS_TOPIC,
        data: notification('elicitation/complete', { elicitationId: change.elicitationId }),
      }
    case 'log':
      return { topic: LOG_TOPIC, data: { level: change.level, text: change.text } }
  }
}

function listChanged(topic: string, list: string): BusEvent {
  return { topic, data: notification(`${list}/list_changed`, undefined) }
}

function notification(name: string, params: Params | undefined): string {
  return JSON.stringify({ jsonrpc: '2.0', method: `notifications/${name}`, params })
}

/**
 * The topics that a filter names.
 *
 * @param filter what is granted
 */
export function topicsOf(filter: SubscriptionFilter): readonly string[] {
  const topics = (filter.resourceSubscriptions ?? []).map(resourceTopic)
  if (filter.toolsListChanged === true) topics.push(TOOLS_TOPIC)
  if (filter.promptsListChanged === true) topics.push(PROMPTS_TOPIC)
  if (filter.resourcesListChanged === true) topics.push(RESOURCES_TOPIC)
  return topics
}

/**
 * Reads the filter of a `subscriptions/listen` request. A URI that stands in it twice counts once.
 *
 * @param params the request's parameters
 * @param client what the client declared
 * @param maxUris how many URIs it may name
 * @throws {InvalidParamsError} if it is missing or ill-typed, or names too many URIs
 * @throws {MissingRequiredClientCapabilityError} if it names tasks and the client did not declare them
 */
export function readFilter(
  params: Params,
  client: ClientCapabilities,
  maxUris: number,
): SubscriptionFilter {
  const { notifications } = params
  if (!isRecord(notifications)) throw new InvalidParamsError("'notifications' must be an object")
  if (
    notifications['taskIds'] !== undefined &&
    extensionSettings(client, TASKS_EXTENSION) === undefined
  ) {
    throw new MissingRequiredClientCapabilityError({ extensions: { [TASKS_EXTENSION]: {} } })
  }
  return {
    toolsListChanged: flagIn(notifications, 'toolsListChanged'),
    promptsListChanged: flagIn(notifications, 'promptsListChanged'),
    resourcesListChanged: flagIn(notifications, 'resourcesListChanged'),
    resourceSubscriptions: urisIn(notifications['resourceSubscriptions'], maxUris),
  }
}

function flagIn(notifications: Params, name: string): boolean {
  const flag = notifications[name] ?? false
  if (typeof flag === 'boolean') return flag
  throw new InvalidParamsError(`'notifications.${name}' must be a boolean`)
}

function urisIn(value: unknown, maxUris: number): readonly string[] {
  if (value === undefined) return []
  if (!Array.isArray(value) || !value.every(isUriText)) {
    throw new InvalidParamsError(
      `'notifications.resourceSubscriptions' must be an array of URIs of at most ${MAX_URI_CHARS} characters`,
    )
  }
  if (value.length > maxUris) {
    throw new InvalidParamsError(
      `'notifications.resourceSubscriptions' may name at most ${maxUris} URIs`,
    )
  }
  return [...new Set(value)]
}

function isUriText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_URI_CHARS
}

/**
 * What is granted of a filter: the kinds whose flag the server declares.
 *
 * @param filter what is wanted
 * @param capabilities what the server declares
 * @returns a filter without the members that are not granted
 */
export function honoured(
  filter: SubscriptionFilter,
  { tools, prompts, resources }: ServerCapabilities,
): SubscriptionFilter {
  const uris = filter.resourceSubscriptions ?? []
  return {
    ...(granted(filter.toolsListChanged, tools?.listChanged) && { toolsListChanged: true }),
    ...(granted(filter.promptsListChanged, prompts?.listChanged) && { promptsListChanged: true }),
    ...(granted(filter.resourcesListChanged, resources?.listChanged) && {
      resourcesListChanged: true,
    }),
    ...(granted(uris.length > 0, resources?.subscribe) && { resourceSubscriptions: uris }),
  }
}

function granted(wanted: boolean | undefined, declared: boolean | undefined): boolean {
  return wanted === true && declared === true
}

/**
 * The first message of a subscription: what is granted.
 *
 * @param id the id of the listen request
 * @param filter what is granted
 */
export function acknowledgement(id: RequestId, filter: SubscriptionFilter): string {
  return notification('subscriptions/acknowledged', {
    _meta: { [META_SUBSCRIPTION_ID]: id },
    notifications: filter,
  })
}

/**
 * The last message of a subscription that the server ends: the result of the listen request.
 *
 * @param id the id of the listen request
 * @param serverInfo who says so
 */
export function completion(id: RequestId, serverInfo: Implementation): string {
  const meta = { [META_SUBSCRIPTION_ID]: id, [META_SERVER_INFO]: serverInfo }
  return JSON.stringify({ jsonrpc: '2.0', id, result: { resultType: 'complete', _meta: meta } })
}

/** A notification that lacks nothing but the id of the subscription it belongs to. */
export interface TaggedParts {
  /** What comes before the id's JSON text. */
  readonly head: string
  /** What comes after it. */
  readonly tail: string
}

/**
 * Cuts a notification where the id of a subscription belongs, so that one event becomes the messages
 * of many subscriptions without being serialized again. Its own `_meta` is kept.
 *
 * @param data the data of an event
 * @returns undefined where the data is no notification
 */
export function splitForTag(data: unknown): TaggedParts | undefined {
  const parsed = typeof data === 'string' ? parseNotification(data) : undefined
  if (parsed === undefined) return undefined
  const { method, params } = parsed
  const { _meta: own, ...rest } = isRecord(params) ? params : {}
  const kept = Object.entries(isRecord(own) ? own : {}).filter(
    ([key]) => key !== META_SUBSCRIPTION_ID,
  )
  const head = JSON.stringify({ jsonrpc: '2.0', method }).slice(0, -1)
  return {
    head: `${head},"params":{"_meta":{"${META_SUBSCRIPTION_ID}":`,
    tail: `${membersOf(Object.fromEntries(kept))}}${membersOf(rest)}}}`,
  }
}

/** The members of an object as they follow others. */
function membersOf(value: Params): string {
  const text = JSON.stringify(value)
  return text === '{}' ? '' : `,${text.slice(1, -1)}`
}

function parseNotification(text: string): Params | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) && typeof value['method'] === 'string' ? value : undefined
  } catch {
    return undefined
  }
}

/**
 * A notification of one subscription.
 *
 * @param data the data of an event
 * @param id the id of the listen request; its JSON type is kept
 * @returns undefined where the data is no notification
 */
export function tagged(data: unknown, id: RequestId): string | undefined {
  const parts = splitForTag(data)
  return parts === undefined ? undefined : parts.head + JSON.stringify(id) + parts.tail
}
