import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const file = fileURLToPath(new URL('../../src/stdio/stdout.ts', import.meta.url))

it('IO-02 ST-01 takes the output for the protocol, and gives it back', () => {
  const code = `
    import { takeStdout } from ${JSON.stringify(file)}
    const stdout = takeStdout(() => undefined)
    console.log('stray'); console.dir({ stray: 1 }); process.stdout.write('stray')
    await stdout.writeLine('{"ours":1}')
    await stdout.flush()
    stdout.release()
    console.log('theirs')`
  const args = ['--input-type=module', '-e', code]
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  expect(stdout).toBe('{"ours":1}\ntheirs\n')
  expect(stderr.match(/stray/g)).toHaveLength(3)
})
