/**
 * What a bundler makes of each public path: nothing when nothing is used, and otherwise only the layers
 * and packages that path is entitled to.
 *
 * @module
 */

import { join } from 'node:path'
import { build, type BuildOptions, type Plugin } from 'esbuild'
import { describe, expect, test } from 'vitest'
import { entries, root } from './package-map.ts'
import { requireBuild } from './require-build.ts'

requireBuild()

const core = 'protocol shared schema rpc stores server http'

/** The layers of `dist/` and the packages that each path may bring into a bundle. */
const contents: Readonly<Record<string, { readonly layers: string; readonly npm: string }>> = {
  'mcp-edge': { layers: core, npm: '' },
  'mcp-edge/protocol': { layers: 'protocol', npm: '' },
  'mcp-edge/stores': { layers: 'protocol shared stores', npm: '' },
  'mcp-edge/server': { layers: 'protocol shared schema rpc stores server', npm: '' },
  'mcp-edge/http': { layers: core, npm: '' },
  'mcp-edge/json-schema': {
    layers: 'protocol shared schema json-schema',
    npm: '@cfworker/json-schema',
  },
  'mcp-edge/node': { layers: `${core} node`, npm: 'node:* @hono/node-server' },
  'mcp-edge/testing': { layers: `${core} client testing`, npm: 'eventsource-parser' },
  'mcp-edge/client': {
    layers: 'protocol shared schema rpc json-schema client',
    npm: 'eventsource-parser @cfworker/json-schema',
  },
  'mcp-edge/stdio': {
    layers: 'protocol shared schema rpc stores server client stdio',
    npm: 'node:*',
  },
  'mcp-edge/auth': { layers: 'protocol shared auth', npm: 'jose' },
  'mcp-edge/oauth': { layers: 'protocol shared oauth', npm: 'jose' },
  'mcp-edge/oauth-node': { layers: 'protocol shared oauth oauth-node', npm: 'node:*' },
  'mcp-edge/apps': { layers: 'protocol shared server apps', npm: '' },
  'mcp-edge/tasks': { layers: 'protocol shared server tasks', npm: '' },
  'mcp-edge/hono': { layers: `${core} auth hono`, npm: 'hono @hono/zod-validator zod jose' },
  'mcp-edge/next': { layers: `${core} next`, npm: '' },
  'mcp-edge/workers': { layers: 'workers', npm: 'mcp-edge' },
  'mcp-edge/deno': { layers: 'deno', npm: 'mcp-edge' },
  'mcp-edge/bun': { layers: 'bun', npm: 'mcp-edge' },
}

interface Bundle {
  /** What runs when the path is imported. */
  readonly entry: string
  /** All of it, with what is imported later. */
  readonly text: string
  readonly layers: readonly string[]
  readonly packages: readonly string[]
}

const layerOf = (file: string) => file.split('/')[1] ?? ''

const packageOf = (specifier: string) =>
  specifier.startsWith('node:')
    ? 'node:*'
    : specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/')

/**
 * Hides `sideEffects: false` from the bundler, so that a bundle is empty because each module does nothing
 * when it is imported, and not because the manifest says so.
 */
const distrustManifest: Plugin = {
  name: 'distrust-manifest',
  setup(builder) {
    builder.onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir }) => ({
      path: join(resolveDir, path),
    }))
  },
}

async function bundle(
  code: string,
  options: Pick<BuildOptions, 'plugins' | 'splitting'> = {},
): Promise<Bundle> {
  const { outputFiles, metafile } = await build({
    stdin: { contents: code, resolveDir: root },
    bundle: true,
    format: 'esm',
    platform: 'neutral',
    packages: 'external',
    metafile: true,
    write: false,
    outdir: 'bundle',
    legalComments: 'none',
    ...options,
  })
  const used = Object.values(metafile.outputs).flatMap(({ inputs }) => Object.keys(inputs))
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports)
  const texts = outputFiles.map(({ text }) => text)
  return {
    entry: texts[0] ?? '',
    text: texts.join(''),
    layers: [...new Set(used.filter((file) => file.split('/').length > 2).map(layerOf))],
    packages: [
      ...new Set(imports.filter(({ external }) => external).map(({ path }) => packageOf(path))),
    ],
  }
}

const words = (list: string) => list.split(' ').filter((word) => word !== '')

describe.each([...entries()])('%s', (path, entry) => {
  test('imported for nothing, bundles to nothing', async () => {
    const bundled = await bundle(`import '${entry.default}'`, {
      plugins: [distrustManifest],
      splitting: true,
    })
    const ownCode = bundled.entry.replace(/^import [^"]*"[^"]+";$/gm, '').replace(/^\/\/.*$/gm, '')
    expect(ownCode.trim()).toBe('')
  })

  test('brings only its layers and packages', async () => {
    const may = contents[path]
    const { layers, packages, text } = await bundle(`export * from '${entry.default}'`)
    expect(may, `a row for ${path}`).toBeDefined()
    expect(words(may?.layers ?? '')).toEqual(expect.arrayContaining([...layers]))
    expect(words(may?.npm ?? '')).toEqual(expect.arrayContaining([...packages]))
    const foreign = ['node:', 'zod', 'hono', 'jose', 'eventsource-parser', '@cfworker'].filter(
      (name) => !(may?.npm ?? '').includes(name),
    )
    for (const name of foreign) expect(text).not.toMatch(new RegExp(`(from|import\\()\\s*"${name}`))
  })
})
