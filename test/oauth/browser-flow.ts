/**
 * The full flow with a real browser: a command-line client opens a page, a person signs in and agrees,
 * and the client's own callback server takes what comes back.
 *
 * @module
 */
import { equal } from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'mcp-edge/client'
import { authorizationCode } from 'mcp-edge/oauth'
import { fileTokens, loopbackCallback } from 'mcp-edge/oauth-node'
import type { Browser } from 'playwright-core'
import { startOidcServer } from './oidc-server.ts'
import { startProtectedServer } from './protected-server.ts'

/**
 * Signs in, calls, refreshes once for twenty calls, steps up once, and starts again from the token file.
 *
 * @param browser a browser of any kind
 * @throws when anything is not as it has to be
 */
export async function browserFlow(browser: Browser): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'browser-flow-'))
  const server = await startProtectedServer()
  const issuer = await startOidcServer(server.url, { tokenSeconds: 40 })
  server.protect(issuer.issuer)
  let now = Date.now()
  let signIns = 0
  const port = await freePort()

  function provider() {
    const open = (url: URL): Promise<void> => {
      signIns += 1
      return signIn(browser, url)
    }
    return authorizationCode({
      ...loopbackCallback({ port, open }),
      storage: fileTokens({ path: join(folder, 'tokens.json') }),
      now: () => now,
    })
  }
  async function connect(): Promise<Client> {
    return Client.connect(server.url, { name: 'cli', version: '1.0.0', auth: provider() })
  }
  try {
    const client = await connect()
    equal(await textOf(client, 'whoami'), 'ada mcp')
    equal(signIns, 1)

    now += 20_000
    issuer.requests.length = 0
    await Promise.all(Array.from({ length: 20 }, () => textOf(client, 'whoami')))
    const grants = issuer.requests.filter((line) => line.startsWith('grant '))
    equal(grants.join(), 'grant refresh_token')

    equal(await textOf(client, 'wipe'), 'wiped')
    equal(signIns, 2)
    await client.close()

    const again = await connect()
    equal(await textOf(again, 'whoami'), 'ada mcp admin')
    equal(signIns, 2)
    await again.close()
  } finally {
    await issuer.close()
    await server.close()
    await rm(folder, { recursive: true })
  }
}

/** What a person does: fills in the form that is shown, agrees, and sees that they may go. */
async function signIn(browser: Browser, url: URL): Promise<void> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(url.href)
  if ((await page.locator('input[name=login]').count()) > 0) {
    await page.fill('input[name=login]', 'ada')
    await page.fill('input[name=password]', 'x')
    await page.click('button[type=submit]')
  }
  await page.click('button[type=submit]')
  await page.getByText('You can close this page').waitFor()
  await context.close()
}

async function textOf(client: Client, tool: string): Promise<string> {
  const [block] = (await client.callTool(tool)).content
  return block?.type === 'text' ? block.text : ''
}

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address: AddressInfo | string | null = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof address === 'object' && address !== null ? address.port : 0
}
