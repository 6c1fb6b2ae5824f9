/**
 * `npm run check:workers`: the template deploys, as far as that can be told offline, and stays small.
 *
 * @module
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** KiB after gzip. */
const MAX_GZIP_KIB = 60

const root = fileURLToPath(new URL('../..', import.meta.url))
const args = ['deploy', '--config', 'workers/template/wrangler.jsonc', '--dry-run']
const run = spawnSync('wrangler', args, {
  cwd: root,
  encoding: 'utf8',
  env: { ...process.env, WRANGLER_SEND_METRICS: 'false', CI: '1' },
})
const output = run.stdout + run.stderr
const kib = Number(/gzip: ([\d.]+) KiB/.exec(output)?.[1] ?? Number.NaN)
if (run.status !== 0 || !(kib <= MAX_GZIP_KIB)) {
  console.error(output)
  console.error(`the template must deploy with at most ${MAX_GZIP_KIB} KiB after gzip`)
  process.exit(1)
}
console.log(`the template deploys: ${kib} KiB after gzip, at most ${MAX_GZIP_KIB}`)
