/**
 * Changes on their way to the one client of a conversation: to its subscriptions, or to all of it
 * where it shook hands.
 *
 * @module
 */
import type { Params, RequestId } from '../protocol/jsonrpc.ts'
import { MAX_LISTEN_STREAMS, MAX_LISTEN_URIS } from '../protocol/limits.ts'
import { InvalidRequestError } from '../protocol/errors.ts'
import { isAtLeast } from '../protocol/logging.ts'
import { featuresOf } from '../protocol/versions.ts'
import type { Caller, Delivery } from '../server/call.ts'
import type { Change, Publish } from '../server/notifier.ts'
import type { McpServer } from '../server/server.ts'
import {
  acknowledgement,
  completion,
  honoured,
  readFilter,
  tagged,
  toBusEvent,
  topicsOf,
} from '../server/subscriptions.ts'
import type { LegacyPeer } from './legacy-peer.ts'

/** The subscriptions of one conversation. */
export class Changes {
  readonly #server: McpServer
  readonly #write: (text: string) => Promise<void>
  readonly #delivery: Delivery
  readonly #listeners = new Map<RequestId, ReadonlySet<string>>()
  #peer: LegacyPeer | undefined

  constructor(server: McpServer, write: (text: string) => Promise<void>, delivery: Delivery) {
    this.#server = server
    this.#write = write
    this.#delivery = delivery
  }

  /** Takes a change to whoever wants to hear of it. */
  readonly publish: Publish = async (change) => {
    const peer = this.#peer
    if (peer !== undefined) return this.#tell(peer, change)
    if (change.kind === 'log') return
    const { topic, data } = toBusEvent(change)
    const ids = [...this.#listeners].filter(([, topics]) => topics.has(topic)).map(([id]) => id)
    await Promise.all(ids.map((id) => this.#write(tagged(data, id) ?? '')))
  }

  /** The client shook hands: from now on it hears without subscribing. */
  greet(peer: LegacyPeer): void {
    this.#peer = peer
  }

  /** Whether a listen request of this id is open. */
  has(id: RequestId): boolean {
    return this.#listeners.has(id)
  }

  /**
   * Opens a subscription.
   *
   * @param id the id of the listen request
   * @param params its parameters
   * @param caller who sends it
   * @throws {McpError} when the server delivers no changes, or the filter is wrong
   */
  listen(id: RequestId, params: Params, caller: Caller): void {
    const capabilities = this.#server.dispatcher.capabilities(this.#delivery)
    const wanted = readFilter(params, caller.capabilities, MAX_LISTEN_URIS)
    const filter = honoured(wanted, capabilities)
    if (this.#listeners.size >= MAX_LISTEN_STREAMS)
      throw new InvalidRequestError('Too many subscriptions are open')
    if (Object.keys(filter).length > 0) this.#listeners.set(id, new Set(topicsOf(filter)))
    void this.#write(acknowledgement(id, filter))
    if (!this.#listeners.has(id)) void this.#write(completion(id, this.#server.core.info))
  }

  /**
   * Ends a subscription because the client says so: it hears no more of it.
   *
   * @param id the id of the listen request
   * @returns whether there was one
   */
  cancel(id: RequestId): boolean {
    return this.#listeners.delete(id)
  }

  /** Ends every subscription with its result. */
  close(): void {
    for (const id of this.#listeners.keys())
      void this.#write(completion(id, this.#server.core.info))
    this.#listeners.clear()
  }

  async #tell(peer: LegacyPeer, change: Change): Promise<void> {
    const text = this.#wants(peer, change) ? textOf(change) : undefined
    if (text !== undefined) await this.#write(text)
  }

  #wants(peer: LegacyPeer, change: Change): boolean {
    const { tools, prompts, resources } = this.#server.dispatcher.capabilities(this.#delivery)
    switch (change.kind) {
      case 'tools':
        return tools?.listChanged === true
      case 'prompts':
        return prompts?.listChanged === true
      case 'resources':
        return resources?.listChanged === true
      case 'resource':
        return peer.wants(change.uri)
      case 'elicitation':
        return featuresOf(peer.revision).richElicitation
      case 'log':
        return peer.logLevel !== undefined && isAtLeast(change.level, peer.logLevel)
    }
  }
}

function textOf(change: Change): string | undefined {
  if (change.kind === 'log') return change.text
  const { data } = toBusEvent(change)
  return typeof data === 'string' ? data : undefined
}
