import { createServer } from 'node:net'
import { describe, expect, test } from 'vitest'
import { loopbackCallback } from '../../src/oauth-node/index.ts'

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}

const page = new URL('https://as.example.com/authorize?state=s')

describe('loopbackCallback', () => {
  test('takes what comes back with the right state, and nothing else', async () => {
    const port = await freePort()
    const statuses: number[] = []
    const { redirectUri, authorize } = loopbackCallback({
      port,
      async open() {
        for (const url of [
          `${redirectUri}?code=c&state=forged`,
          `${redirectUri}?code=c`,
          `http://127.0.0.1:${String(port)}/other?code=c&state=s`,
          `http://localhost:${String(port)}/callback?code=c&state=s`,
        ]) {
          const response = await fetch(url).catch(() => undefined)
          if (response !== undefined) statuses.push(response.status)
        }
        const response = await fetch(`${redirectUri}?code=right&state=s`)
        statuses.push(response.status)
        expect(await response.text()).toContain('close this page')
      },
    })
    const params = await authorize(page)
    expect(Object.fromEntries(params)).toEqual({ code: 'right', state: 's' })
    expect(statuses.at(-1)).toBe(200)
    expect(statuses.slice(0, -1).every((status) => status === 404)).toBe(true)
    await expect(fetch(redirectUri)).rejects.toThrow()
  })

  test('gives up after a while', async () => {
    const { authorize } = loopbackCallback({
      port: await freePort(),
      open: () => {},
      timeoutMs: 20,
    })
    await expect(authorize(page)).rejects.toThrow('in time')
  })

  test('says which port is taken', async () => {
    const port = await freePort()
    const server = createServer()
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
    const { authorize } = loopbackCallback({ port, open: () => {} })
    await expect(authorize(page)).rejects.toThrow(`Port ${String(port)}`)
    server.close()
  })

  test.each([0, 70_000, 1.5])('refuses port %d', (port) => {
    expect(() => loopbackCallback({ port })).toThrow(/^port/)
  })
})
