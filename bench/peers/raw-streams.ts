/**
 * The floor's open streams: a set of controllers and one loop.
 *
 * @module
 */

const SSE_INIT = { status: 200, headers: { 'content-type': 'text/event-stream' } }
const TOOLS_CHANGED =
  'event: message\ndata: {"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\n\n'

/** Streams that stay open, and the two ways to publish to all of them. */
export interface Streams {
  openGet(): Response
  openListen(id: number): Response
  publishToolsChanged(): void
  publishUpdate(uri: string): void
}

interface Open {
  readonly id: number
  readonly controller: ReadableStreamDefaultController<Uint8Array>
}

/** Makes an empty set of streams. */
export function openStreams(): Streams {
  const encoder = new TextEncoder()
  const open = new Set<Open>()

  function add(id: number, first: string | undefined): Response {
    let entry: Open | undefined
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        entry = { id, controller }
        open.add(entry)
        if (first !== undefined) controller.enqueue(encoder.encode(first))
      },
      cancel() {
        if (entry !== undefined) open.delete(entry)
      },
    })
    return new Response(body, SSE_INIT)
  }

  return {
    openGet: () => add(0, undefined),
    openListen: (id) => add(id, acknowledgement(id)),
    publishToolsChanged() {
      const frame = encoder.encode(TOOLS_CHANGED)
      for (const { controller } of open) controller.enqueue(frame)
    },
    publishUpdate(uri) {
      const head =
        'event: message\ndata: {"jsonrpc":"2.0","method":"notifications/resources/updated","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":'
      const tail = `},"uri":${JSON.stringify(uri)}}}\n\n`
      for (const { id, controller } of open) controller.enqueue(encoder.encode(head + id + tail))
    },
  }
}

function acknowledgement(id: number): string {
  const params = {
    _meta: { 'io.modelcontextprotocol/subscriptionId': id },
    notifications: { resourceSubscriptions: [] },
  }
  const method = 'notifications/subscriptions/acknowledged'
  return `event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', method, params })}\n\n`
}
