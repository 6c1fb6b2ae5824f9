import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildSync } from 'esbuild'
import { Miniflare } from 'miniflare'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkAuthorization } from './portable.ts'

const root = new URL('../..', import.meta.url).pathname
let folder = ''

function bundle(code: string): string {
  const { outputFiles } = buildSync({
    stdin: { contents: code, resolveDir: join(root, 'test/oauth'), loader: 'ts' },
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    target: 'es2022',
    write: false,
  })
  return outputFiles[0]?.text ?? ''
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'authorization-'))
  const code = `
    import { checkAuthorization } from './portable.ts'
    console.log(await checkAuthorization('shared'))
  `
  writeFileSync(join(folder, 'main.mjs'), bundle(code))
})

afterAll(() => rmSync(folder, { recursive: true }))

test('guard and providers work in Node', async () => {
  expect(await checkAuthorization('shared')).toBe('ada robot')
})

test.each([
  ['Deno', 'deno', ['run', '--no-prompt', '--no-remote']],
  ['Bun', 'bun', ['run']],
])('guard and providers work in %s', (_, command, args) => {
  const program = join(root, 'node_modules/.bin', command)
  const run = spawnSync(program, [...args, join(folder, 'main.mjs')], {
    encoding: 'utf8',
    timeout: 30_000,
  })
  expect({ out: run.stdout.trim(), error: run.stderr }).toEqual({ out: 'ada robot', error: '' })
})

test('guard and providers work in workerd, request by request', async () => {
  const script = bundle(`
    import { checkAuthorization } from './portable.ts'
    export default { fetch: async () => new Response(await checkAuthorization('request')) }
  `)
  const miniflare = new Miniflare({ modules: true, script, compatibilityDate: '2026-01-01' })
  try {
    const answers = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const response = await miniflare.dispatchFetch('http://localhost/')
        return response.text()
      }),
    )
    expect(answers).toEqual(['ada robot', 'ada robot', 'ada robot'])
  } finally {
    await miniflare.dispose()
  }
})
