/**
 * `npm run test:consumer`: a fresh project that has installed the packed package. It type-checks under every compiler
 * that people use, loads from CommonJS, runs the examples of Deno and Bun, and is understood by the official inspector.
 *
 * @module
 */
import { deepEqual, equal, match } from 'node:assert/strict'
import { copyFileSync, writeFileSync } from 'node:fs'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { Client } from 'mcp-edge/client'
import { entries } from '../package/package-map.ts'
import { node22 } from '../runtime/runtimes.ts'
import { installPacked, root, run } from './packed.ts'

const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error', '--no-save']
const compilers = ['5.9.3', '6.0.3', '7.0.2']
const WORKERS_TYPES = '@cloudflare/workers-types@5.20261117.1'

/** The paths whose declarations speak of Node. */
const NODE_PATHS = ['mcp-edge/node', 'mcp-edge/stdio', 'mcp-edge/oauth-node']

const DOM = ['es2024', 'dom', 'dom.iterable', 'dom.asynciterable']
const nodenext = { module: 'nodenext' }
const bundler = { module: 'esnext', moduleResolution: 'bundler' }

interface Setting {
  readonly name: string
  readonly options: object
  readonly node: boolean
}

const settings: readonly Setting[] = [
  {
    name: 'nodenext, Node',
    options: { ...nodenext, lib: ['es2024'], types: ['node'] },
    node: true,
  },
  { name: 'nodenext, DOM', options: { ...nodenext, lib: DOM, types: [] }, node: false },
  { name: 'bundler, Node', options: { ...bundler, lib: ['es2024'], types: ['node'] }, node: true },
  { name: 'bundler, DOM', options: { ...bundler, lib: DOM, types: [] }, node: false },
  {
    name: 'bundler, Workers types',
    options: { ...bundler, lib: ['es2024'], types: ['@cloudflare/workers-types'] },
    node: false,
  },
]

const project = installPacked(['@types/node'])
const { folder } = project
const bin = (name: string): string => join(root, 'node_modules', '.bin', name)
let failures = 0

try {
  run('npm', ['install', ...quiet, WORKERS_TYPES], folder)
  for (const version of compilers) await withCompiler(version)
  await attempt('deno check', denoCheck)
  await attempt('require() of every path, Node 24', () => required(process.execPath, 'v24.'))
  await attempt('require() of every path, Node 22', () => required(node22(folder), 'v22.'))
  await attempt('deno run example.ts', () => example('deno', 'deno', ['run', '-A', 'example.ts']))
  await attempt('bun run example.ts', () => example('bun', 'bun', ['run', 'example.ts']))
  await attempt('the official inspector over HTTP and stdio', inspector)
} finally {
  project.remove()
}
console.log(`\n${failures} failed`)
process.exitCode = failures === 0 ? 0 : 1

async function attempt(name: string, test: () => void | Promise<void>): Promise<void> {
  try {
    await test()
    console.log(`  ok    ${name}`)
  } catch (error) {
    failures += 1
    console.error(`  FAIL  ${name}`, error instanceof Error ? error.message.slice(0, 4_000) : error)
  }
}

async function withCompiler(version: string): Promise<void> {
  const home = join(folder, `typescript-${version}`)
  run('npm', ['install', ...quiet, '--prefix', home, `typescript@${version}`], folder)
  for (const setting of settings) {
    await attempt(`TypeScript ${version}, ${setting.name}`, () => compile(home, setting))
  }
}

function importsOf(paths: readonly string[]): string {
  return paths.map((path, index) => `export * as entry${index} from '${path}'\n`).join('')
}

function compile(home: string, { options, node }: Setting): void {
  const paths = [...entries().keys()].filter((path) => node || !NODE_PATHS.includes(path))
  writeFileSync(join(folder, 'consumer.ts'), importsOf(paths))
  const strict = { strict: true, exactOptionalPropertyTypes: true, skipLibCheck: false }
  const compilerOptions = { ...strict, noEmit: true, target: 'es2023', ...options }
  const config = { compilerOptions, files: ['consumer.ts'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  run(process.execPath, [join(home, 'node_modules/typescript/bin/tsc'), '-p', folder], folder)
}

function denoCheck(): void {
  writeFileSync(join(folder, 'consumer.ts'), importsOf([...entries().keys()]))
  writeFileSync(join(folder, 'tsconfig.json'), '{}')
  run(bin('deno'), ['check', 'consumer.ts'], folder)
}

function required(node: string, version: string): void {
  const paths = [...entries().keys()]
  const script = `for (const path of ${JSON.stringify(paths)}) require(path)
    console.log(process.version, typeof require('mcp-edge').createHandler)`
  const [running, kind] = run(node, ['--input-type=commonjs', '--eval', script], folder)
    .trim()
    .split(' ')
  match(running ?? '', new RegExp(`^${version}`))
  equal(kind, 'function')
}

async function example(runtime: string, command: string, args: readonly string[]): Promise<void> {
  copyFileSync(join(root, runtime, 'example.ts'), join(folder, 'example.ts'))
  await serving(bin(command), args, async (url) => {
    const client = await Client.connect(url, { name: 'consumer', version: '1.0.0' })
    const seen: number[] = []
    const onProgress = ({ progress }: { readonly progress: number }): number => seen.push(progress)
    const { content } = await client.callTool('roll', { dice: 3 }, { onProgress })
    match(JSON.stringify(content), /"text":"\d+"/)
    deepEqual(seen, [1, 2, 3])
    await client.close()
  })
}

async function serving(
  command: string,
  args: readonly string[],
  use: (url: string) => void | Promise<void>,
): Promise<void> {
  const child = spawn(command, args, {
    cwd: folder,
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  try {
    const printed = once(createInterface({ input: child.stdout }), 'line')
    const [url] = (await Promise.race([printed, ended])) as [unknown]
    await use(String(url))
    child.kill('SIGTERM')
    deepEqual(await ended, [0, null])
  } finally {
    child.kill('SIGKILL')
  }
}

async function inspector(): Promise<void> {
  const home = join(folder, 'inspector')
  run(
    'npm',
    ['install', ...quiet, '--prefix', home, '@modelcontextprotocol/inspector@2.12.0'],
    folder,
  )
  const cli = join(home, 'node_modules/.bin/mcp-inspector')
  const ask = (target: readonly string[], ...what: readonly string[]): string =>
    run(cli, ['--cli', ...target, '--method', ...what], folder)
  writeFileSync(
    join(folder, 'stdio.mjs'),
    `import { McpServer } from 'mcp-edge'
     import { serveStdio } from 'mcp-edge/stdio'
     const server = new McpServer({ name: 'inspected', version: '1.0.0' })
     server.tool('hello', {}, () => 'hi from stdio')
     serveStdio(server)`,
  )
  const stdio = ['node', 'stdio.mjs']
  match(ask(stdio, 'tools/list'), /"hello"/)
  match(ask(stdio, 'tools/call', '--tool-name', 'hello'), /hi from stdio/)
  await serving(bin('bun'), ['run', 'example.ts'], (url) => {
    const http = [url, '--transport', 'http']
    match(ask(http, 'tools/list'), /"roll"/)
    match(ask(http, 'tools/call', '--tool-name', 'roll', '--tool-arg', 'dice=2'), /"text"/)
  })
}
