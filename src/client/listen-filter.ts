/**
 * Filters of subscriptions: reading what a server grants, and what a change amounts to.
 *
 * @module
 */
import type { ServerCapabilities } from '../protocol/capabilities.ts'
import { isRecord } from '../protocol/jsonrpc.ts'
import type { Params } from '../protocol/jsonrpc.ts'
import type { SubscriptionFilter } from '../protocol/subscriptions.ts'

/** Something changed at the server. */
export type Change =
  | { readonly kind: 'toolsListChanged' }
  | { readonly kind: 'promptsListChanged' }
  | { readonly kind: 'resourcesListChanged' }
  | { readonly kind: 'resourceUpdated'; readonly uri: string }
  | { readonly kind: 'other'; readonly method: string; readonly params: Params }

const LISTS = {
  'notifications/tools/list_changed': 'toolsListChanged',
  'notifications/prompts/list_changed': 'promptsListChanged',
  'notifications/resources/list_changed': 'resourcesListChanged',
} as const

/** A notification that a list changed. */
export type ListChangedMethod = keyof typeof LISTS

/**
 * Tells whether a notification says that a list changed.
 *
 * @param method its method
 */
export function isListChanged(method: string): method is ListChangedMethod {
  return Object.hasOwn(LISTS, method)
}

/**
 * What a notification says has changed.
 *
 * @param method its method
 * @param params its parameters
 * @returns undefined when it is an update that names no resource
 */
export function changeOf(method: string, params: Params): Change | undefined {
  if (isListChanged(method)) return { kind: LISTS[method] }
  if (method !== 'notifications/resources/updated') return { kind: 'other', method, params }
  const { uri } = params
  return typeof uri === 'string' ? { kind: 'resourceUpdated', uri } : undefined
}

/**
 * Reads a filter from the wire; what is not of its type counts as absent.
 *
 * @param value the `notifications` member of an acknowledgement
 */
export function readFilter(value: unknown): SubscriptionFilter {
  if (!isRecord(value)) return {}
  const filter: { -readonly [Member in keyof SubscriptionFilter]: SubscriptionFilter[Member] } = {}
  for (const kind of Object.values(LISTS)) if (value[kind] === true) filter[kind] = true
  for (const kind of ['resourceSubscriptions', 'taskIds'] as const) {
    const list = stringsIn(value[kind])
    if (list !== undefined) filter[kind] = list
  }
  return filter
}

/**
 * The part of a filter that a legacy server can serve.
 *
 * @param filter what is wanted
 * @param capabilities what the server declared
 */
export function grantable(
  filter: SubscriptionFilter,
  { tools, prompts, resources }: ServerCapabilities,
): SubscriptionFilter {
  return readFilter({
    toolsListChanged: tools?.listChanged === true && filter.toolsListChanged,
    promptsListChanged: prompts?.listChanged === true && filter.promptsListChanged,
    resourcesListChanged: resources?.listChanged === true && filter.resourcesListChanged,
    resourceSubscriptions: resources?.subscribe === true && filter.resourceSubscriptions,
  })
}

/**
 * Tells whether a change was asked for. A resource below a subscribed one counts.
 *
 * @param change what changed
 * @param filter what was granted
 */
export function matches(change: Change, filter: SubscriptionFilter): boolean {
  if (change.kind === 'other') return true
  if (change.kind !== 'resourceUpdated') return filter[change.kind] === true
  const { uri } = change
  return (filter.resourceSubscriptions ?? []).some(
    (subscribed) => uri === subscribed || uri.startsWith(`${subscribed.replace(/\/$/, '')}/`),
  )
}

/**
 * Everything a filter covers, as changes: what has to be read again after a gap.
 *
 * @param filter what was granted
 */
export function everythingIn(filter: SubscriptionFilter): readonly Change[] {
  const lists = Object.values(LISTS).filter((kind) => filter[kind] === true)
  const uris = filter.resourceSubscriptions ?? []
  return [
    ...lists.map((kind) => ({ kind })),
    ...uris.map((uri) => ({ kind: 'resourceUpdated', uri }) as const),
  ]
}

function stringsIn(value: unknown): readonly string[] | undefined {
  if (!Array.isArray(value)) return undefined
  return value.filter((item): item is string => typeof item === 'string')
}
