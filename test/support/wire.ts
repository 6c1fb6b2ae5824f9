/**
 * Checks of messages against the official schema of their revision.
 *
 * @module
 */
import { Ajv } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { WireObject } from './answer.ts'
import { isRecord } from './events.ts'
import {
  containerOf,
  officialSchemas,
  type SchemaDocument,
  type SchemaRevision,
} from './official-schemas.ts'

/**
 * Asserts that a value matches a named definition of a revision's official schema.
 *
 * @param revision The revision; 2024-11-05 is held to 2025-03-26, whose schema only adds to it.
 * @param kind A definition, for example `CallToolResult` or `ProgressNotification`.
 * @param message The value.
 * @throws Error that lists what does not match.
 */
export function assertWire(revision: string, kind: string, message: unknown): void {
  const { ajv, container } = validatorOf(schemaRevision(revision))
  const validate = ajv.getSchema(`mcp#/${container}/${kind}`)
  if (validate === undefined) throw new Error(`${revision} defines no ${kind}`)
  if (validate(message) === true) return
  const problems = ajv.errorsText(validate.errors ?? null, { separator: '\n  ' })
  throw new Error(
    `not a ${kind} of ${revision}:\n  ${problems}\n${JSON.stringify(message, null, 2).slice(0, 2_000)}`,
  )
}

/**
 * Asserts that a whole message a server sent in answer to a request is right for its revision.
 *
 * @param revision The revision of the exchange.
 * @param method The method of the request it answers.
 * @param message The message: a result, an error, a notification or a request.
 * @throws Error that lists what does not match.
 */
export function assertServerMessage(revision: string, method: string, message: WireObject): void {
  if (typeof message['method'] === 'string') {
    assertSent(revision, message['method'], message)
    return
  }
  const renamed = schemaRevision(revision) >= '2025-11-25'
  if ('error' in message) {
    // Up to 2025-06-18 the schema demands an id where JSON-RPC has none to give; ours is omitted.
    const full = renamed ? message : { id: 0, ...message }
    assertWire(revision, renamed ? 'JSONRPCErrorResponse' : 'JSONRPCError', full)
    return
  }
  assertWire(revision, renamed ? 'JSONRPCResultResponse' : 'JSONRPCResponse', message)
  const result = message['result']
  const asks = isRecord(result) && result['resultType'] === 'input_required'
  assertWire(revision, asks ? 'InputRequiredResult' : (lookUp(RESULTS, method) ?? 'Result'), result)
}

function assertSent(revision: string, method: string, message: WireObject): void {
  const generic = 'id' in message ? 'JSONRPCRequest' : 'JSONRPCNotification'
  assertWire(revision, generic, message)
  const kind = lookUp(SENT, method)
  if (kind !== undefined) assertWire(revision, kind, message)
}

/** Methods come from tests that use names of `Object.prototype` too. */
function lookUp(table: Readonly<Record<string, string>>, method: string): string | undefined {
  return Object.hasOwn(table, method) ? table[method] : undefined
}

const RESULTS: Readonly<Record<string, string>> = {
  initialize: 'InitializeResult',
  'server/discover': 'DiscoverResult',
  ping: 'EmptyResult',
  'tools/list': 'ListToolsResult',
  'tools/call': 'CallToolResult',
  'resources/list': 'ListResourcesResult',
  'resources/templates/list': 'ListResourceTemplatesResult',
  'resources/read': 'ReadResourceResult',
  'resources/subscribe': 'EmptyResult',
  'resources/unsubscribe': 'EmptyResult',
  'subscriptions/listen': 'SubscriptionsListenResult',
  'prompts/list': 'ListPromptsResult',
  'prompts/get': 'GetPromptResult',
  'completion/complete': 'CompleteResult',
  'logging/setLevel': 'EmptyResult',
}

const SENT: Readonly<Record<string, string>> = {
  'notifications/cancelled': 'CancelledNotification',
  'notifications/progress': 'ProgressNotification',
  'notifications/message': 'LoggingMessageNotification',
  'notifications/tools/list_changed': 'ToolListChangedNotification',
  'notifications/prompts/list_changed': 'PromptListChangedNotification',
  'notifications/resources/list_changed': 'ResourceListChangedNotification',
  'notifications/resources/updated': 'ResourceUpdatedNotification',
  'notifications/subscriptions/acknowledged': 'SubscriptionsAcknowledgedNotification',
  'notifications/elicitation/complete': 'ElicitationCompleteNotification',
  'sampling/createMessage': 'CreateMessageRequest',
  'elicitation/create': 'ElicitRequest',
  'roots/list': 'ListRootsRequest',
}

interface Validator {
  readonly ajv: Ajv
  readonly container: string
}

const validators = new Map<SchemaRevision, Validator>()

function validatorOf(revision: SchemaRevision): Validator {
  const known = validators.get(revision)
  if (known !== undefined) return known
  for (const [name, document] of officialSchemas()) validators.set(name, compile(document))
  return validatorOf(revision)
}

function compile(document: SchemaDocument): Validator {
  const container = containerOf(document)
  const options = { strict: false, allErrors: true }
  const ajv = container === '$defs' ? new Ajv2020(options) : new Ajv(options)
  formats.default(ajv)
  ajv.addSchema(withoutArtefacts(document, container), 'mcp')
  return { ajv, container }
}

/** The JSON files say `integer` where the TypeScript source says `number`, and `JSONValue` forgets `null`. */
function withoutArtefacts(document: SchemaDocument, container: string): SchemaDocument {
  const definitions = document[container]
  if (!isRecord(definitions)) return document
  const mended = { ...definitions }
  for (const name of ['ElicitResult', 'JSONValue']) {
    const text = JSON.stringify(mended[name])?.replaceAll('"integer"', '"number"')
    if (text !== undefined) mended[name] = JSON.parse(text)
  }
  const bounded = mended['NumberSchema']
  if (bounded !== undefined) mended['NumberSchema'] = withNumberBounds(bounded)
  const value = mended['JSONValue']
  if (value !== undefined) mended['JSONValue'] = { anyOf: [value, { type: 'null' }] }
  return { ...document, [container]: mended }
}

/** Published copies had `integer` for the bounds of a number. */
function withNumberBounds(schema: unknown): unknown {
  if (!isRecord(schema) || !isRecord(schema['properties'])) return schema
  const number = { type: 'number' }
  const bounds = { minimum: number, maximum: number, default: number }
  return { ...schema, properties: { ...schema['properties'], ...bounds } }
}

function schemaRevision(revision: string): SchemaRevision {
  if (revision === '2026-07-28' || revision === '2025-11-25' || revision === '2025-06-18')
    return revision
  return '2025-03-26'
}
