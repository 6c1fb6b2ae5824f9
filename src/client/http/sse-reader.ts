/**
 * Reads an event stream: one reader, one decoder, one parser. Streams of streams would cost more
 * than the parsing.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 * @module
 */
import { createParser } from 'eventsource-parser'
import type { EventSourceMessage, EventSourceParser } from 'eventsource-parser'
import { onAbort } from '../../shared/abort.ts'
import { MessageTooLargeError } from '../errors.ts'
import type { Resumption } from './resumption.ts'

/** How a stream is read, and where its parts go. */
export interface StreamReading {
  /** Names the stream in errors. */
  readonly name: string
  /** Characters of one event; no event has more characters than bytes. */
  readonly maxBytes: number
  /** Ends the reading; its reason is thrown. */
  readonly signal: AbortSignal
  /** Told of every event, with its id, and of how long the server asks to wait before the stream is resumed. */
  readonly resumption: Pick<Resumption, 'event' | 'retry'>
  /** Takes the data of one message event that is not empty. True ends the reading. */
  readonly message: (data: string) => boolean
}

/**
 * Reads events until enough has been seen, the stream ends, or the signal fires. The body is
 * cancelled on every way out but its end.
 *
 * @param body the body of a `text/event-stream` response
 * @param reading bounds, signal, and who is told
 * @throws {MessageTooLargeError} for an event beyond the bound; else the signal's reason, or the
 *   network's error
 */
export async function readEvents(
  body: ReadableStream<Uint8Array>,
  reading: StreamReading,
): Promise<void> {
  const { signal } = reading
  const reader = body.getReader()
  const cancel = (reason?: unknown): void => {
    // Nobody waits for that: a body need not end when it is told to.
    reader.cancel(reason).catch(() => undefined)
  }
  // The signal of a request does not reach a body that was made in this process.
  const unlisten = onAbort(signal, cancel)
  try {
    await pump(reader, reading)
    signal.throwIfAborted()
  } finally {
    unlisten()
    cancel()
  }
}

async function pump(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  reading: StreamReading,
): Promise<void> {
  const state = { enough: false, tooLarge: false }
  const feed = lineEnds(createParser(callbacks(reading, state)))
  const decoder = new TextDecoder()
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    feed(decoder.decode(part.value, { stream: true }))
    if (state.tooLarge) throw new MessageTooLargeError(reading.name, reading.maxBytes)
    if (state.enough) return
  }
}

function callbacks(
  { maxBytes: maxBufferSize, message, resumption }: StreamReading,
  state: { enough: boolean; tooLarge: boolean },
): Parameters<typeof createParser>[0] {
  return {
    maxBufferSize,
    onEvent: (event: EventSourceMessage) => {
      if (state.enough || state.tooLarge) return
      resumption.event(event.id)
      if (event.data.length > maxBufferSize) state.tooLarge = true
      else if (isMessage(event)) state.enough = message(event.data)
    },
    onRetry: (ms) => resumption.retry(ms),
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') state.tooLarge = true
    },
  }
}

/** Other types of event are ignored, and an event without data only carries its id. */
function isMessage({ event, data }: EventSourceMessage): boolean {
  return data !== '' && (event === undefined || event === 'message')
}

/**
 * The parser waits for the character after a CR, in case it is an LF; a server that ends lines with
 * CR would be heard one event late. So a CR at the end of a chunk is completed here, and the LF that
 * may follow is dropped.
 */
function lineEnds(parser: EventSourceParser): (chunk: string) => void {
  let completed = false
  return (chunk) => {
    if (chunk === '') return
    const text = completed && chunk.startsWith('\n') ? chunk.slice(1) : chunk
    completed = text.endsWith('\r')
    parser.feed(completed ? `${text}\n` : text)
  }
}
