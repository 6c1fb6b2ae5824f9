/**
 * Topics as numbers and back to what a listener is told when it may have missed something.
 *
 * @module
 */
import {
  PROMPTS_TOPIC,
  RESOURCES_TOPIC,
  resourceTopic,
  TOOLS_TOPIC,
  type BusEvent,
} from 'mcp-edge/stores'

/**
 * A number of 53 bits for a topic. Two topics that share one cost a message too many, because whoever
 * receives it looks at the topic itself; so it need not resist anyone.
 *
 * @param topic any text
 * @see https://github.com/bryc/code/blob/master/jshash/experimental/cyrb53.js
 */
export function topicNumber(topic: string): number {
  let low = 0xdeadbeef
  let high = 0x41c6ce57
  for (let at = 0; at < topic.length; at += 1) {
    const code = topic.charCodeAt(at)
    low = Math.imul(low ^ code, 2654435761)
    high = Math.imul(high ^ code, 1597334677)
  }
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  return 4294967296 * (2097151 & high) + (low >>> 0)
}

/**
 * "It changed", for whoever may have missed that it did: reading again is always right.
 *
 * @param topic what may have changed
 * @returns undefined for a topic whose events cannot be made up
 */
export function changedEvent(topic: string): BusEvent | undefined {
  if (topic === TOOLS_TOPIC || topic === PROMPTS_TOPIC || topic === RESOURCES_TOPIC) {
    return { topic, data: notification(`${topic}/list_changed`) }
  }
  const prefix = resourceTopic('')
  if (!topic.startsWith(prefix)) return undefined
  return { topic, data: notification('resources/updated', { uri: topic.slice(prefix.length) }) }
}

function notification(name: string, params?: { readonly uri: string }): string {
  return JSON.stringify({ jsonrpc: '2.0', method: `notifications/${name}`, params })
}
