/**
 * The exchange of a call that belongs to a session: the client can be asked, the call can be
 * cancelled from anywhere, and its stream can be resumed.
 *
 * Nothing of that costs a call that answers at once: the session hears of a call only when it has
 * to be waited for, looks at its signal, says something or asks.
 *
 * @module
 */
import { InvalidRequestError, URL_ELICITATION_REQUIRED } from '../protocol/errors.ts'
import { isRecord } from '../protocol/jsonrpc.ts'
import type { JSONRPCRequest, Params, RequestId } from '../protocol/jsonrpc.ts'
import { featuresOf } from '../protocol/versions.ts'
import { ConnectionClosedError } from '../rpc/errors.ts'
import type { CallSession, ClientRequest } from '../server/call.ts'
import type { Answer } from '../server/eras/era.ts'
import type { SessionPatch, SessionRecord } from '../stores/session-store.ts'
import type { Visit } from './deployment.ts'
import { EventChannel } from './event-channel.ts'
import { Exchange } from './exchange.ts'
import type { LiveSession, SessionMember } from './live-session.ts'
import type { SessionMessage } from './session-mail.ts'
import type { Sessions } from './sessions.ts'
import type { SseStream } from './sse-stream.ts'

/** The call that a session exchange answers. */
export interface SessionCall {
  readonly record: SessionRecord
  readonly message: JSONRPCRequest
}

/** One request's way back to the client of a session. */
export class SessionExchange extends Exchange implements SessionMember, CallSession {
  readonly #sessions: Sessions
  readonly #call: SessionCall
  readonly #streams: boolean
  #live: LiveSession | undefined
  #channel: EventChannel | undefined
  #stream: SseStream | undefined
  /** Our questions that wait. */
  #questions: Set<RequestId> | undefined

  constructor(sessions: Sessions, visit: Visit, call: SessionCall) {
    super(sessions.host, visit, false)
    this.#sessions = sessions
    this.#call = call
    this.#streams = visit.forms.stream
  }

  override get signal(): AbortSignal {
    // Nothing can end what is over, and what is alive for a session has to end.
    if (!this.over) void this.#engage().listen()
    return super.signal
  }

  /** Absent where a question has no way out, or its answer none back. */
  get request(): ((request: ClientRequest) => Promise<Params>) | undefined {
    if (!this.#streams || this.#sessions.mail === undefined) return undefined
    return (request) => this.#ask(request)
  }

  /** Absent where the client would not come back. */
  get closeStream(): (() => void) | undefined {
    const { events } = this.#sessions
    if (!this.#streams || events === undefined || !this.#priming) return undefined
    return () => {
      if (this.over) return
      this.open()
      this.#channel?.hangUp()
    }
  }

  /** Streams open with an event that has an id and no data, and may be closed before the answer. */
  get #priming(): boolean {
    return featuresOf(this.#call.record.revision).priming
  }

  update(patch: SessionPatch): Promise<void> {
    return this.#sessions.update(this.#call.record.id, patch)
  }

  receive(message: SessionMessage): void {
    const { kind } = message
    if (kind === 'end') this.abort(new InvalidRequestError('The session has ended'), 404)
    if (kind === 'cancel' && message.requestId === this.#call.message.id && !this.over) {
      this.#cancelled(message.reason)
    }
    if (kind === 'takeover' && message.stream === this.#channel?.stream) this.#channel.detach()
  }

  #cancelled(reason: string | undefined): void {
    this.cancel(new DOMException(reason ?? 'The client cancelled the call', 'AbortError'))
    this.drop()
  }

  protected override waited(): void {
    const live = this.#engage()
    const { settings } = this.#sessions.host
    // Without a stream there is no moment at which a long call shows itself.
    if (!this.#streams || settings.streamAfterMs === Infinity) live.keep()
  }

  protected override opened(stream: SseStream): void {
    const live = this.#engage()
    void live.listen()
    this.#stream = stream
    const { events } = this.#sessions
    if (events === undefined) return
    this.#channel = new EventChannel(
      {
        clock: this.#sessions.clock,
        events,
        session: this.#call.record.id,
        stream: this.#sessions.nextStreamName(),
        owes: this.#call.message.id,
        tell: (message) => live.tell(message),
        report: (error) => this.#sessions.report(error),
      },
      stream,
    )
    if (this.#priming) this.#channel.prime()
  }

  protected override send(stream: SseStream, message: string): Promise<void> | undefined {
    return this.#channel === undefined ? super.send(stream, message) : this.#channel.offer(message)
  }

  protected override sendLast(stream: SseStream, message: string | undefined): void {
    if (this.#channel === undefined) {
      super.sendLast(stream, message)
      return
    }
    const finishing = this.#channel.finish(message ?? '')
    if (finishing === undefined) this.#release()
    else void finishing.then(() => this.#release())
  }

  protected override gone(): void {
    super.gone()
    this.#channel?.detach()
  }

  protected override ended(answer?: Answer): void {
    const error = answer?.error
    // A refusal may have sent the user to pages; their completion is told to this session.
    if (error?.code === URL_ELICITATION_REQUIRED) {
      for (const id of elicitationsIn(error.data)) this.#engage().expect(id)
    }
    if (this.#live === undefined) return
    for (const id of this.#questions ?? []) {
      this.#live.questions.fail(id, new ConnectionClosedError('The call has ended'))
    }
    // A stream that is kept is over only when its last event is.
    if (this.#channel === undefined) this.#release()
  }

  #engage(): LiveSession {
    if (this.#live !== undefined) return this.#live
    this.#live = this.#sessions.live(this.#call.record.id)
    if (!this.over) this.#live.add(this)
    return this.#live
  }

  #release(): void {
    this.#live?.delete(this)
  }

  async #ask({ method, params, timeoutMs }: ClientRequest): Promise<Params> {
    if (this.over) throw new ConnectionClosedError('The call has ended')
    const live = this.#engage()
    await live.listen()
    this.#refuseUndeliverable()
    const { questions } = live
    const { serverRequestTimeoutMs } = this.#sessions.host.settings
    const wait = timeoutMs ?? serverRequestTimeoutMs
    const { id, answer } = questions.open({
      method,
      timeoutMs: wait === Infinity ? null : wait,
      signal: super.signal,
      onAbandon: (abandoned, reason) => this.#withdraw(abandoned, reason),
    })
    if (!questions.has(id)) return answer
    this.#questions ??= new Set()
    this.#questions.add(id)
    if (method === 'elicitation/create') this.#expect(params)
    this.#sendAlways(JSON.stringify({ jsonrpc: '2.0', id, method, params }))
    try {
      return await answer
    } finally {
      this.#questions.delete(id)
    }
  }

  #refuseUndeliverable(): void {
    if (this.over) throw new ConnectionClosedError('The call has ended')
    const cutOff = this.#stream !== undefined && !this.#stream.open && this.#channel === undefined
    if (cutOff) throw new ConnectionClosedError('The client is gone, and cannot be asked')
  }

  /** A question must not be dropped because the client reads slowly. */
  #sendAlways(message: string): void {
    const stream = this.open()
    if (this.#channel === undefined) super.sendAlways(stream, message)
    else void this.#channel.offer(message)
  }

  /** The client may still be showing what nobody waits for any more. */
  #withdraw(requestId: RequestId, reason: unknown): void {
    if (this.over) return
    const params = { requestId, reason: reason instanceof Error ? reason.message : undefined }
    this.#sendAlways(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params }))
  }

  #expect({ mode, elicitationId }: Params): void {
    if (mode === 'url' && typeof elicitationId === 'string') this.#engage().expect(elicitationId)
  }
}

/** The pages that a refusal sends the user to. */
function elicitationsIn(data: unknown): readonly string[] {
  const elicitations = isRecord(data) ? data['elicitations'] : undefined
  if (!Array.isArray(elicitations)) return []
  return elicitations
    .map((entry: unknown) => (isRecord(entry) ? entry['elicitationId'] : undefined))
    .filter((id) => typeof id === 'string')
}
