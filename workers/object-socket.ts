/**
 * A socket to a Durable Object that is opened again when it closes, by way of a new stub: objects are
 * reset, moved and deployed, and that is nothing unusual.
 *
 * @module
 */
import { CLOSE_ENDED, CONNECT_PATIENCE_MS, MAX_RECONNECT_MS, RETRY_MS } from './limits.ts'
import { spread, stubOf, urlOf } from './object-call.ts'
import type { ObjectAddress } from './object-call.ts'
import { closeSocket, readMessage, sendOn, socketIn } from './sockets.ts'
import type { PlatformSocket } from './types.ts'

/** What a socket is made with. */
export interface SocketOptions {
  readonly address: ObjectAddress
  readonly path: string
  /**
   * What is said first on each connection, and again when it has changed.
   *
   * @param again it is said on a connection that stands
   */
  readonly hello: (again: boolean) => Readonly<Record<string, unknown>>
  /** Takes what comes, the answers to the hellos included. */
  readonly receive: (message: Record<string, unknown>) => void
  /** Closes it for good. */
  readonly signal: AbortSignal
}

/** A socket. It belongs to the request that opens it. */
export class ObjectSocket {
  readonly #options: SocketOptions
  #socket: PlatformSocket | undefined
  #hellos = 0
  /** Whoever waits for the answer to a hello, by its number. */
  readonly #waiting = new Map<number, () => void>()

  constructor(options: SocketOptions) {
    this.#options = options
  }

  /**
   * Opens the socket.
   *
   * @returns settles when the object has answered the hello
   * @throws {Error} if it cannot be reached
   */
  async open(): Promise<void> {
    const { signal } = this.#options
    const deadline = Date.now() + CONNECT_PATIENCE_MS
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      try {
        return await this.#connect()
      } catch (error) {
        if (error instanceof GoneError || Date.now() > deadline) throw error
        await pauseUnlessAborted(attempt, signal)
      }
    }
  }

  /**
   * Says the hello again, because it has changed.
   *
   * @returns settles when the object has answered it, on this connection or the next
   */
  greetAgain(): Promise<void> {
    return new Promise((resolve) => {
      this.#hellos += 1
      this.#waiting.set(this.#hellos, resolve)
      this.#greet(this.#socket, true)
    })
  }

  async #connect(): Promise<void> {
    const { address, path, signal } = this.#options
    const headers = { upgrade: 'websocket' }
    const response = await stubOf(address).fetch(urlOf(path), { headers })
    const socket = socketIn(response)
    if (socket === undefined) {
      const text = await response.text()
      throw response.status < 500 ? new GoneError(text) : new Error(text)
    }
    socket.accept()
    await new Promise<void>((resolve, reject) => this.#serve(socket, resolve, reject))
    if (!signal.aborted) this.#socket = socket
  }

  #serve(socket: PlatformSocket, resolve: () => void, reject: (error: Error) => void): void {
    const { receive, signal } = this.#options
    let state: 'new' | 'ready' | 'over' = 'new'
    const leave = (): void => {
      closeSocket(socket)
      this.#release()
      resolve()
    }
    const end = (code: number | undefined): void => {
      if (state === 'over') return
      const wasReady = state === 'ready'
      state = 'over'
      signal.removeEventListener('abort', leave)
      closeSocket(socket)
      if (this.#socket === socket) this.#socket = undefined
      if (signal.aborted) resolve()
      else if (!wasReady) reject(closeError(code))
      else if (code === CLOSE_ENDED) this.#release()
      else void this.#reconnect()
    }
    if (signal.aborted) return leave()
    signal.addEventListener('abort', leave, { once: true })
    socket.addEventListener('message', ({ data }) => {
      const message = readMessage(data)
      if (signal.aborted || state === 'over' || message === undefined) return
      state = 'ready'
      receive(message)
      this.#answered(message['hello'])
      resolve()
    })
    socket.addEventListener('close', ({ code }) => end(code))
    socket.addEventListener('error', () => end(undefined))
    this.#greet(socket, false)
  }

  /** A socket that is dead says so with its close event, and the next one says hello. */
  #greet(socket: PlatformSocket | undefined, again: boolean): void {
    if (socket === undefined) return
    sendOn(socket, JSON.stringify({ ...this.#options.hello(again), hello: this.#hellos }))
  }

  #answered(hello: unknown): void {
    if (typeof hello !== 'number') return
    for (const [number, resolve] of this.#waiting) {
      if (number > hello) continue
      this.#waiting.delete(number)
      resolve()
    }
  }

  #release(): void {
    for (const resolve of this.#waiting.values()) resolve()
    this.#waiting.clear()
  }

  async #reconnect(): Promise<void> {
    const { signal } = this.#options
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      await pauseUnlessAborted(attempt, signal)
      if (signal.aborted) return
      try {
        return await this.#connect()
      } catch (error) {
        // Until somebody says that there is nothing any more, it may come back.
        if (error instanceof GoneError) return this.#release()
      }
    }
  }
}

/** The object says that there is nothing to connect to. */
class GoneError extends Error {
  override readonly name = 'GoneError'
}

function closeError(code: number | undefined): Error {
  return code === CLOSE_ENDED
    ? new GoneError('The session is over')
    : new Error('The socket closed before the object answered')
}

function pauseUnlessAborted(attempt: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, spread(Math.min(MAX_RECONNECT_MS, RETRY_MS * 2 ** attempt)))
    signal.addEventListener('abort', done, { once: true })
  })
}
