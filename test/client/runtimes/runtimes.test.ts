/** The same suite of the client in Node, Deno, Bun, workerd and a browser, each from one bundled file. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { Miniflare } from 'miniflare'
import { chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { serve } from '../../../src/node/index.ts'
import type { RunningServer } from '../../../src/http/listening.ts'
import { suiteServer } from './suite.ts'
import type { Outcome } from './suite.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const browser = process.env['CHROMIUM'] ?? '/usr/bin/chromium'

async function bundle(name: string, format: 'esm' | 'iife' = 'esm'): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`${name}.ts`, import.meta.url))],
    bundle: true,
    write: false,
    format,
    platform: 'neutral',
    mainFields: ['module', 'main'],
    conditions: ['mcp-edge-source', 'import'],
    external: ['node:*'],
  })
  return outputFiles[0]?.text ?? ''
}

function judge(outcomes: readonly Outcome[]): void {
  expect(outcomes.length).toBeGreaterThanOrEqual(8)
  expect(outcomes.filter(({ problem }) => problem !== undefined)).toEqual([])
}

let server: RunningServer
let folder = ''
let page = createServer()

beforeAll(async () => {
  page = createServer((_request, response) => response.end('<!doctype html>'))
  await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve))
  const { port } = page.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  server = await serve(suiteServer(), { port: 0, hostname: '127.0.0.1', allowedOrigins: [origin] })
  folder = await mkdtemp(join(root, 'node_modules/.client-suite-'))
  await writeFile(join(folder, 'suite.mjs'), await bundle('process'))
})

afterAll(async () => {
  page.close()
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

describe('the client', () => {
  it.each([
    ['node', []],
    ['bun', ['run']],
    ['deno', ['run', '-A']],
  ])('holds in %s', { timeout: 60_000 }, async (runtime, args) => {
    const child = spawn(`${root}node_modules/.bin/${runtime}`, [
      ...args,
      join(folder, 'suite.mjs'),
      server.url,
    ])
    let out = ''
    child.stdout.on('data', (chunk: Buffer) => (out += String(chunk)))
    child.stderr.on('data', (chunk: Buffer) => (out += String(chunk)))
    await once(child, 'close')
    const line = out.split('\n').find((text) => text.startsWith('['))
    expect(line, out).toBeDefined()
    judge(JSON.parse(line ?? '[]'))
  })

  it('holds in workerd', { timeout: 60_000 }, async () => {
    const worker = new Miniflare({
      modules: true,
      script: await bundle('worker'),
      compatibilityDate: '2026-07-01',
      compatibilityFlags: ['enable_request_signal'],
    })
    try {
      const answer = await worker.dispatchFetch(
        `http://localhost/?url=${encodeURIComponent(server.url)}`,
      )
      judge((await answer.json()) as readonly Outcome[])
    } finally {
      await worker.dispose()
    }
  })

  it.runIf(existsSync(browser))('holds in Chromium', { timeout: 60_000 }, async () => {
    const chrome = await chromium.launch({
      executablePath: browser,
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
    })
    try {
      const tab = await chrome.newPage()
      const { port } = page.address() as AddressInfo
      await tab.goto(`http://127.0.0.1:${port}/`)
      await tab.addScriptTag({ content: await bundle('page', 'iife') })
      const run = `runSuite(${JSON.stringify(server.url)})`
      judge(await tab.evaluate(run))
    } finally {
      await chrome.close()
    }
  })
})
