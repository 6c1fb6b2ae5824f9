/**
 * The page of `examples/browser` in a browser: it connects across origins, calls, and asks its user.
 *
 * @module
 */
import { equal, match } from 'node:assert/strict'
import type { Browser } from 'playwright-core'
import { start } from './started.ts'

/**
 * Uses the page as a person would.
 *
 * @param browser a browser of any kind
 * @throws when anything is not as it has to be
 */
export async function browserPage(browser: Browser): Promise<void> {
  const example = await start('examples/browser/serve.ts')
  const page = await browser.newPage()
  try {
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(error.message))
    await page.goto(example.url)
    await page.click('#connect')
    await page.waitForFunction(`document.querySelector('#tools option') !== null`)
    match((await page.textContent('#status')) ?? '', /^almanac speaks 2026-07-28$/)

    await page.selectOption('#tools', 'sun_times')
    await page.fill('#arguments', '{"city":"Oslo","date":"2026-06-21"}')
    await page.click('#call')
    await page.waitForFunction(`document.querySelector('#result').textContent !== ''`)
    match((await page.textContent('#result')) ?? '', /"sunset":"22:44"/)

    await page.selectOption('#tools', 'dark_nights')
    await page.fill('#arguments', '{"city":"Lima","nights":7}')
    await page.click('#call')
    await page.waitForFunction(`document.querySelector('#status').textContent === '7 of 7'`)
    equal(problems.join('\n'), '')
  } finally {
    await page.close()
    equal(await example.stop(), 0)
  }
}
