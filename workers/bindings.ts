/**
 * What is said when a binding is not there.
 *
 * @module
 */
import type { KvNamespace, ObjectNamespace } from './types.ts'

/**
 * A Durable Object binding, or an error that says how to make one.
 *
 * @param user the function that needs it
 * @param namespace what it was given
 * @param className the class that the binding is for
 * @throws {TypeError} if there is none
 */
export function namespaceFrom(
  user: string,
  namespace: ObjectNamespace | undefined,
  className: 'McpSession' | 'McpHub',
): ObjectNamespace {
  if (typeof namespace?.idFromName === 'function') return namespace
  throw new TypeError(`${user} got no Durable Object namespace. ${howToBind(className)}`)
}

/**
 * The lines that make a Durable Object binding.
 *
 * @param className the class that the binding is for
 * @param binding its name
 */
export function howToBind(
  className: 'McpSession' | 'McpHub',
  binding: string = className === 'McpSession' ? 'MCP_SESSIONS' : 'MCP_HUB',
): string {
  const lines = {
    durable_objects: { bindings: [{ name: binding, class_name: className }] },
    migrations: [{ tag: 'v1', new_sqlite_classes: [className] }],
  }
  return `Export ${className} from the Worker and add to its wrangler.jsonc: ${JSON.stringify(lines)}`
}

/**
 * A KV binding, or an error that says how to make one.
 *
 * @param user the function that needs it
 * @param namespace what it was given
 * @throws {TypeError} if there is none
 */
export function kvFrom(user: string, namespace: KvNamespace | undefined): KvNamespace {
  if (typeof namespace?.get === 'function') return namespace
  throw new TypeError(`${user} got no KV namespace. ${howToBindKv('MCP_KV')}`)
}

/**
 * The lines that make a KV binding.
 *
 * @param binding its name
 */
function howToBindKv(binding: string): string {
  const lines = { kv_namespaces: [{ binding, id: '…' }] }
  return `Run 'wrangler kv namespace create ${binding}' and add to wrangler.jsonc: ${JSON.stringify(lines)}`
}
