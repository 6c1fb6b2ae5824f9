/**
 * The heap of a Worker, through the inspector of its runtime: a Worker itself cannot see it.
 *
 * @module
 */
import { once } from 'node:events'
import { isRecord } from '../support/events.ts'

/** The Worker under test among those that miniflare runs. */
const WORKER = 'core:user:'

/**
 * Counts the bytes in use. Garbage is collected before, by the Worker: workerd never runs the inspector's command for it.
 *
 * @param inspector where the inspector listens
 */
export async function heapOfWorker(inspector: string): Promise<number> {
  const socket = new WebSocket(new URL(`/${WORKER}`, inspector))
  try {
    await once(socket, 'open')
    return Number((await command(socket, 'Runtime.getHeapUsage'))['usedSize'])
  } finally {
    socket.close()
  }
}

async function command(socket: WebSocket, method: string): Promise<Record<string, unknown>> {
  const id = Math.trunc(performance.now() * 1_000)
  const answer = new Promise<Record<string, unknown>>((resolve, reject) => {
    socket.addEventListener('close', reject, { once: true })
    socket.addEventListener('message', ({ data }) => {
      const message: unknown = JSON.parse(String(data))
      if (!isRecord(message) || message['id'] !== id) return
      if (isRecord(message['result'])) resolve(message['result'])
      else reject(new Error(`${method} failed: ${String(data)}`))
    })
  })
  socket.send(JSON.stringify({ id, method }))
  return answer
}
