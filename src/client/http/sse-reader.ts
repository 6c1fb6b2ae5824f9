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

/** Where the parts of a stream go. */
export interface StreamSink {
  /** The data of one message event that is not empty. True ends the reading. */
  message(data: string): boolean
  /** The id of an event, also of one without data. */
  id(value: string): void
  /** How long the server asks to wait before the stream is resumed. */
  retry(ms: number): void
}

/** How a stream is read. */
export interface ReadOptions {
  /** Characters of one event; no event has more characters than bytes. */
  readonly maxBytes: number
  /** Ends the reading; its reason is thrown. */
  readonly signal: AbortSignal
  /** Makes what is thrown for an event that is too large. */
  readonly tooLarge: () => Error
}

/**
 * Reads events until the sink has seen enough, the stream ends, or the signal fires. The body is
 * cancelled on every way out but its end.
 *
 * @param body the body of a `text/event-stream` response
 * @param sink where its parts go
 * @param options bounds and signal
 * @returns true when the sink ended the reading, false when the stream ended
 * @throws the signal's reason, the network's error, or `tooLarge()`
 */
export async function readEvents(
  body: ReadableStream<Uint8Array>,
  sink: StreamSink,
  options: ReadOptions,
): Promise<boolean> {
  const { signal } = options
  const reader = body.getReader()
  // The signal of a request does not reach a body that was made in this process.
  const unlisten = onAbort(signal, (reason) => void reader.cancel(reason).catch(() => undefined))
  try {
    const enough = await pump(reader, sink, options)
    signal.throwIfAborted()
    return enough
  } finally {
    unlisten()
    reader.cancel().catch(() => undefined)
  }
}

async function pump(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  sink: StreamSink,
  options: ReadOptions,
): Promise<boolean> {
  const state = { enough: false, tooLarge: false }
  const parser = createParser(callbacks(sink, options.maxBytes, state))
  const feed = lineEnds(parser)
  const decoder = new TextDecoder()
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    feed(decoder.decode(part.value, { stream: true }))
    if (state.tooLarge) throw options.tooLarge()
    if (state.enough) return true
  }
  return false
}

function callbacks(
  sink: StreamSink,
  maxBufferSize: number,
  state: { enough: boolean; tooLarge: boolean },
): Parameters<typeof createParser>[0] {
  return {
    maxBufferSize,
    onEvent: (event: EventSourceMessage) => {
      if (state.enough || state.tooLarge) return
      if (event.id !== undefined) sink.id(event.id)
      if (event.data.length > maxBufferSize) state.tooLarge = true
      else if (isMessage(event)) state.enough = sink.message(event.data)
    },
    onRetry: (ms) => sink.retry(ms),
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') state.tooLarge = true
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
