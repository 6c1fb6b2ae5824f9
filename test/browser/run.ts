/**
 * `npm run test:browser`: what only a browser can show, in Debian's Chromium, without a window.
 *
 * @module
 */
import { existsSync } from 'node:fs'
import { chromium } from 'playwright-core'
import type { Browser } from 'playwright-core'
import { browserPage } from '../examples/browser-page.ts'
import { browserFlow } from '../oauth/browser-flow.ts'

/** Where Debian puts the browser; another one may be named. */
const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium'

/** What keeps a browser from talking to anyone but us. */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const cases: readonly {
  readonly name: string
  readonly run: (browser: Browser) => Promise<void>
}[] = [
  { name: 'a person signs in, and the client refreshes and steps up', run: browserFlow },
  { name: 'the page of the example connects across origins and calls', run: browserPage },
]

async function main(): Promise<number> {
  if (!existsSync(executablePath)) {
    console.error(`no browser at ${executablePath}: apt-get install chromium, or set CHROMIUM`)
    return 1
  }
  const browser = await chromium.launch({ executablePath, args, headless: true })
  let failed = 0
  for (const { name, run } of cases) {
    try {
      await run(browser)
      console.log(`  ok    ${name}`)
    } catch (error) {
      failed += 1
      console.error(`  FAIL  ${name}`, error)
    }
  }
  await browser.close()
  console.log(`\n${cases.length - failed} passed, ${failed} failed`)
  return failed === 0 ? 0 : 1
}

process.exitCode = await main()
