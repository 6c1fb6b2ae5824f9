import { join } from 'node:path'

/** Staged below `examples/next`, whose packages it uses; the fixture is type-checked at home. */
const root = join(import.meta.dirname, '..', '..')

export default {
  turbopack: { root },
  outputFileTracingRoot: root,
  typescript: { ignoreBuildErrors: true },
}
