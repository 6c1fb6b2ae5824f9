/**
 * Both ends of a WebSocket between a Worker and a Durable Object.
 *
 * @module
 */
import { isRecord } from 'mcp-edge/protocol'
import type { PlatformSocket } from './types.ts'

declare const WebSocketPair: new () => { readonly 0: PlatformSocket; readonly 1: PlatformSocket }

/** Whether a request wants a socket. */
export function wantsSocket(request: Request): boolean {
  return request.headers.get('upgrade') === 'websocket'
}

/**
 * Answers a request with a socket.
 *
 * @param accept takes the object's end
 */
export function upgraded(accept: (socket: PlatformSocket) => void): Response {
  const pair = new WebSocketPair()
  accept(pair[1])
  const init: ResponseInit & { readonly webSocket: PlatformSocket } = {
    status: 101,
    webSocket: pair[0],
  }
  return new Response(null, init)
}

/** The Worker's end of a socket. */
export function socketIn(response: Response): PlatformSocket | undefined {
  const socket: unknown = 'webSocket' in response ? response.webSocket : undefined
  return isSocket(socket) ? socket : undefined
}

function isSocket(value: unknown): value is PlatformSocket {
  return typeof value === 'object' && value !== null && 'accept' in value
}

/**
 * Sends, where the other end is still there.
 *
 * @returns whether it is
 */
export function sendOn(socket: PlatformSocket, text: string): boolean {
  try {
    socket.send(text)
    return true
  } catch {
    // The close event is on its way, or was.
    return false
  }
}

/** Closes, where that is still possible. */
export function closeSocket(socket: PlatformSocket, code = 1000, reason?: string): void {
  try {
    socket.close(code, reason)
  } catch {
    // It is closed already; that is all we wanted.
    return
  }
}

/**
 * Reads a message as a JSON object.
 *
 * @returns undefined for anything else
 */
export function readMessage(text: unknown): Record<string, unknown> | undefined {
  if (typeof text !== 'string') return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}
