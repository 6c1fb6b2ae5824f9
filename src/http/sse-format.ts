/**
 * The text of server-sent events. Pure: no streams here.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 * @module
 */

/** A comment that keeps proxies from closing an idle stream; clients ignore it. */
export const KEEPALIVE_FRAME = ': keepalive\n\n'

/** What comes before the message in its frame. */
export const FRAME_HEAD = 'event: message\ndata: '
/** What comes after it. */
export const FRAME_TAIL = '\n\n'

/**
 * One message as an event. JSON text has no raw line breaks, so it is one `data` line.
 *
 * @param message a JSON-RPC message as text
 */
export function toFrame(message: string): string {
  return FRAME_HEAD + message + FRAME_TAIL
}

/**
 * One message as an event that a client can resume after.
 *
 * @param id the event's id
 * @param message a JSON-RPC message as text; empty for an event that only carries its id
 */
export function toResumableFrame(id: string, message: string): string {
  return message === ''
    ? `id: ${id}\ndata: \n\n`
    : `event: message\nid: ${id}\ndata: ${message}\n\n`
}

/**
 * Tells the client how long to wait before it resumes.
 *
 * @param ms milliseconds
 */
export function toRetryFrame(ms: number): string {
  return `retry: ${ms}\n\n`
}
