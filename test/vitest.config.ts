import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const root = fileURLToPath(new URL('..', import.meta.url))
const condition = 'mcp-edge-source'

/** What every project shares: `mcp-edge/*` means the sources, through the package's own exports map. */
const sources = {
  root,
  resolve: { conditions: [condition, 'node', 'module', 'import', 'default'] },
  ssr: { resolve: { conditions: [condition, 'node', 'module', 'import', 'default'] } },
}

export default defineConfig({
  ...sources,
  test: {
    pool: 'threads',
    maxWorkers: 2,
    testTimeout: 20_000,
    hookTimeout: 30_000,
    execArgv: [`--conditions=${condition}`],
    projects: [
      {
        ...sources,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts'],
          exclude: ['test/package/**', 'test/runtime/**', 'test/browser/**'],
        },
      },
      {
        ...sources,
        test: {
          name: 'package',
          include: ['test/package/**/*.test.ts'],
          globalSetup: ['test/package/build.ts'],
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
