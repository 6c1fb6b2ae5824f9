import type { NextConfig } from 'next'

const config: NextConfig = {
  // Without a root of its own, Next takes the lock file of the repository around it for the application's.
  turbopack: { root: import.meta.dirname },
  outputFileTracingRoot: import.meta.dirname,
}

export default config
