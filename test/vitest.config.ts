import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const root = fileURLToPath(new URL('..', import.meta.url))
const condition = 'mcp-edge-source'

/** The tests that look at `dist/`, so that only they wait for a build. */
const built = ['exports', 'bundles', 'declarations'].map((name) => `test/package/${name}.test.ts`)

/** What every project shares: `mcp-edge/*` means the sources, through the package's own exports map. */
const sources = {
  root,
  resolve: { conditions: [condition, 'node'] },
  ssr: { resolve: { conditions: [condition, 'node'] } },
}

export default defineConfig({
  ...sources,
  test: {
    pool: 'threads',
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 30_000,
    execArgv: [`--conditions=${condition}`],
    coverage: { include: ['src/**/*.ts'], reporter: ['text-summary', 'html'] },
    projects: [
      {
        ...sources,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: [...built, 'test/runtime/**', 'test/browser/**'],
        },
      },
      {
        ...sources,
        test: {
          name: 'built',
          include: built,
          globalSetup: ['test/package/build.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
