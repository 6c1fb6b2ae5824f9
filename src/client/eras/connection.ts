/**
 * A client's way to its server: opened once, negotiated, and opened again when a process died.
 *
 * @module
 */
import type { ClientCapabilities } from '../../protocol/capabilities.ts'
import type { Implementation } from '../../protocol/implementation.ts'
import type { JSONRPCNotification } from '../../protocol/jsonrpc.ts'
import { isLegacyRevision, LATEST_LEGACY_REVISION } from '../../protocol/versions.ts'
import type { LegacyRevision } from '../../protocol/versions.ts'
import { ConnectionClosedError } from '../../rpc/errors.ts'
import type { Clock } from '../../shared/clock.ts'
import { createSingleFlight } from '../../shared/single-flight.ts'
import type { SingleFlight, SingleFlightMode } from '../../shared/single-flight.ts'
import type { Answers } from '../answers.ts'
import { handshake, isOtherEra, isUsable, offeredRevision, probe } from './negotiation.ts'
import type { NegotiationParts } from './negotiation.ts'
import { LegacySession } from './legacy.ts'
import type { EraSession } from './era.ts'
import { ModernSession } from './modern.ts'
import { Link } from '../link.ts'
import type { NegotiationMode, Verdict } from '../options.ts'
import { Questions } from '../questions.ts'
import type { Connector } from '../transport.ts'

/** What a connection is made of. */
export interface ConnectionParts {
  readonly connector: Connector
  readonly mode: NegotiationMode
  readonly verdict: Verdict | undefined
  readonly clientInfo: Implementation
  readonly answers: Answers
  readonly capabilities: () => ClientCapabilities
  readonly wantsStream: () => boolean
  readonly notification: (notification: JSONRPCNotification) => void
  readonly warn: (error: Error) => void
  readonly singleFlight: SingleFlightMode
  readonly timeoutMs: number | null
  readonly clock: Clock
}

interface Open {
  readonly link: Link
  readonly session: EraSession
}

/** One connection, over all the transports it takes. */
export class Connection {
  readonly #parts: ConnectionParts
  readonly #opening: SingleFlight<Open>
  /** Every link that may be alive, also while it is negotiated. */
  #links: Link[] = []
  #open: Open | undefined
  #closed = false

  constructor(parts: ConnectionParts) {
    this.#parts = parts
    this.#opening = createSingleFlight(parts.singleFlight)
  }

  /**
   * Connects and negotiates.
   *
   * @param signal ends the attempt
   */
  async open(signal: AbortSignal | undefined): Promise<void> {
    this.#open = await this.#establish(this.#parts.verdict, signal)
  }

  /** The negotiated session that was open last, if any. */
  get latest(): EraSession | undefined {
    return this.#open?.session
  }

  /**
   * The session to send on. After the server's process has died, this starts it again.
   *
   * @throws {ConnectionClosedError} after {@link close}
   */
  async session(): Promise<EraSession> {
    if (this.#closed || this.#open === undefined)
      throw new ConnectionClosedError('The client is not connected')
    if (!this.#open.link.ended) return this.#open.session
    const { verdict } = this.#open.session
    this.#open = await this.#opening('open', () => this.#establish(verdict, undefined))
    return this.#open.session
  }

  /** Ends the connection. */
  async close(): Promise<void> {
    this.#closed = true
    this.#open?.session.close()
    await Promise.all(this.#links.map((link) => link.close()))
  }

  async #establish(verdict: Verdict | undefined, signal: AbortSignal | undefined): Promise<Open> {
    const first = await this.#link()
    try {
      const open = await this.#negotiate(first, verdict, signal)
      // The server may ask as soon as the stream is open, so the session has to be there before.
      this.#open = open
      await open.session.openStream()
      return open
    } catch (error) {
      await first.close()
      throw error
    }
  }

  async #link(): Promise<Link> {
    const { answers, connector, clock, warn, notification } = this.#parts
    // A legacy server may ping before the handshake is through.
    const early = new Questions({ answers, warn, send: (response) => link.notify(response) })
    const link: Link = await Link.open(
      connector,
      {
        warn,
        notification,
        closed: warn,
        request: (request) => {
          if (this.#open?.link === link) this.#open.session.request(request)
          else void early.answer(request)
        },
      },
      clock,
    )
    this.#links = [...this.#links.filter(({ ended }) => !ended), link]
    if (!this.#closed) return link
    await link.close()
    throw new ConnectionClosedError('The client was closed')
  }

  async #negotiate(
    link: Link,
    known: Verdict | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Open> {
    const { mode } = this.#parts
    const parts = { ...this.#parts, link, signal }
    if (mode === 'legacy' || isLegacyRevision(mode)) return this.#legacy(parts)
    if (known === undefined || !isUsable(known, mode)) return this.#probed(parts)
    if (known.era === 'modern') return this.#modern(link, known, mode === 'auto')
    try {
      return await this.#legacy(parts)
    } catch (error) {
      if (!isOtherEra(link, error)) throw error
      // What was known of the server is not true any more.
      return this.#probed({ ...parts, link: await this.#link() })
    }
  }

  async #probed(parts: NegotiationParts): Promise<Open> {
    const found = await probe(parts, this.#parts.mode === 'auto')
    if (found.era === 'modern') return this.#modern(parts.link, found.verdict)
    if (found.era === 'legacy') return this.#legacy(parts)
    // Some old servers do not survive a question they do not know; they get one more chance.
    return this.#legacy({ ...parts, link: await this.#link() })
  }

  #modern(link: Link, verdict: Verdict, doubtful = false): Open {
    const doubt = (error: unknown): Promise<EraSession | undefined> =>
      this.#reconsider({ link, session }, error)
    const parts = { ...this.#parts, link, doubt: doubtful ? doubt : undefined }
    const session: ModernSession = new ModernSession(verdict, parts)
    return { link, session }
  }

  /** The first failure under a verdict that was kept asks again; returns the session that replaces it. */
  async #reconsider(doubted: Open, error: unknown): Promise<EraSession | undefined> {
    const { link } = doubted
    if (this.#open?.session === doubted.session && isOtherEra(link, error))
      this.#open = await this.#opening('doubt', async () => {
        const parts = { ...this.#parts, link, signal: undefined }
        const found = await probe(parts, true)
        return found.era === 'legacy' ? this.#legacy(parts) : doubted
      })
    const session = this.#open?.session
    await session?.openStream()
    return session === doubted.session ? undefined : session
  }

  async #legacy(parts: NegotiationParts): Promise<Open> {
    const { mode } = this.#parts
    const { link } = parts
    const offered: LegacyRevision = offeredRevision(mode) ?? LATEST_LEGACY_REVISION
    const shake = (signal: AbortSignal | undefined): Promise<Verdict> =>
      handshake({ ...parts, signal }, offered, isLegacyRevision(mode))
    try {
      const verdict = await shake(parts.signal)
      const again = { ...this.#parts, link, handshake: () => shake(undefined) }
      return { link, session: new LegacySession(verdict, again) }
    } catch (error) {
      await link.close()
      throw error
    }
  }
}
