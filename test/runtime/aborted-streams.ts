/**
 * Clients that open a stream and leave, over real sockets of Node.
 *
 * @module
 */
import { request } from 'node:http'
import { modern } from '../support/requests.ts'

/** How many are open at the same time. */
const ABREAST = 20

/**
 * Opens listen streams and leaves each once it speaks.
 *
 * @param url the endpoint
 * @param count how many
 * @param headers more headers, for a server that wants to know who asks
 */
export async function abortedStreams(
  url: string,
  count: number,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const notifications = { toolsListChanged: true, resourceSubscriptions: ['list://shopping'] }
  const source = modern('subscriptions/listen', { notifications }, { url, headers })
  const body = await source.text()
  const sent = Object.fromEntries(source.headers)
  for (let done = 0; done < count; done += ABREAST) {
    const batch = Array.from({ length: Math.min(ABREAST, count - done) }, () =>
      abort(url, sent, body),
    )
    await Promise.all(batch)
  }
}

function abort(url: string, headers: Record<string, string>, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method: 'POST', headers, agent: false }, (incoming) => {
      if (incoming.statusCode !== 200) {
        reject(new Error(`a stream was refused with ${String(incoming.statusCode)}`))
        outgoing.destroy()
        return
      }
      incoming.once('data', () => outgoing.destroy())
      incoming.once('close', resolve)
      incoming.on('error', () => undefined)
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}
