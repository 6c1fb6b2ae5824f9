/**
 * Running one handler as a client of either generation makes it run, without a transport.
 *
 * @module
 */
import type { AuthInfo } from '../protocol/auth-info.ts'
import type { ClientCapabilities } from '../protocol/capabilities.ts'
import { isRecord } from '../protocol/jsonrpc.ts'
import type { Params } from '../protocol/jsonrpc.ts'
import { LATEST_LEGACY_REVISION, LATEST_MODERN_REVISION } from '../protocol/versions.ts'
import type { Call, Caller, Outbox } from '../server/call.ts'
import { RequestStates } from '../server/input-required/request-states.ts'
import { createNotifier } from '../server/notifier.ts'
import type { McpServer } from '../server/server.ts'

/** What the handler finds around it. */
export interface ReplayWorld {
  /** `ctx.data`. */
  readonly data?: unknown
  /** `ctx.env`. */
  readonly env?: unknown
  /** `ctx.auth`. */
  readonly auth?: AuthInfo | undefined
}

/** A question that was asked. */
export interface AskedQuestion {
  readonly key: string
  /** Its method and parameters. */
  readonly request: Params
}

/** A client that can answer everything. */
const ABLE: ClientCapabilities = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {}, context: {} },
  roots: {},
}

/** One call, round by round or in one go. */
export class ReplayRun {
  readonly #server: McpServer
  readonly #method: string
  readonly #world: ReplayWorld
  readonly #states = new RequestStates(undefined, { warn: () => undefined })

  /**
   * @param server the server
   * @param method the method of the call
   * @param world what the handler finds around it
   */
  constructor(server: McpServer, method: string, world: ReplayWorld) {
    this.#server = server
    this.#method = method
    this.#world = world
  }

  /**
   * Runs one round for a modern client.
   *
   * @param params the parameters of the call, with what the round brings
   * @returns the result, or `{ error }`
   */
  modern(params: Params): Promise<Params> {
    const identity = { protocolVersion: LATEST_MODERN_REVISION, clientCapabilities: ABLE }
    const caller = this.#server.core.modern.identify(identity, this.#world.auth)
    return this.#run(params, caller, undefined)
  }

  /**
   * Runs the whole call for a legacy client.
   *
   * @param params the parameters of the call
   * @param answer answers a question
   * @returns the result, or `{ error }`
   */
  legacy(params: Params, answer: (request: Params) => unknown): Promise<Params> {
    const identity = { revision: LATEST_LEGACY_REVISION, capabilities: ABLE }
    const caller = this.#server.core.legacy.identify(identity, this.#world.auth)
    return this.#run(params, caller, async ({ method, params: asked }) => {
      const result = answer({ method, params: asked })
      return isRecord(result) ? result : {}
    })
  }

  async #run(params: Params, caller: Caller, request: Outbox['request']): Promise<Params> {
    const { data, env } = this.#world
    const call: Call = {
      id: 1,
      method: this.#method,
      params,
      caller,
      outbox: { signal: new AbortController().signal, notify: () => undefined, request },
      notifier: createNotifier(async () => undefined),
      states: this.#states,
      delivery: { changes: false, logging: false },
      data,
      env,
    }
    const { body } = await this.#server.dispatcher.run(call)
    const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
    const { result, error }: Params = JSON.parse(text)
    return isRecord(result) ? result : { error }
  }
}
