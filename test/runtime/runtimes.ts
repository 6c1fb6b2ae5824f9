/**
 * The runtimes there are, and how each is started.
 *
 * @module
 */
import { join } from 'node:path'
import process from 'node:process'
import { root, run } from '../consumer/packed.ts'

/** A runtime. */
export interface Runtime {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  /** The program that runs the suite, and its arguments. */
  readonly suite: readonly string[]
  /** The program that serves until it is told to end, and its arguments. */
  readonly server: readonly string[]
  /** Whether the programs run in the fresh project; workerd is driven from the repository, which has its tools. */
  readonly inProject: boolean
  /** The exit code after SIGTERM; miniflare passes the signal on, whoever else listens. */
  readonly ends: 0 | 143
}

/** The newest Node of the oldest line that is supported. */
const NODE_22 = 'node@22.23.3'

const EXPOSE_GC = '--expose-gc'

/**
 * Finds the runtimes.
 *
 * @param project the fresh project
 */
export function findRuntimes(project: string): readonly Runtime[] {
  const bin = (name: string): string => join(root, 'node_modules', '.bin', name)
  const inProject = true
  const ends = 0
  const node: Pick<Runtime, 'suite' | 'server' | 'inProject' | 'ends'> = {
    suite: ['test/runtime/node.ts'],
    server: ['test/runtime/serve-node.ts'],
    inProject,
    ends,
  }
  return [
    { name: 'node', command: bin('node'), args: [EXPOSE_GC], ...node },
    { name: 'node 22', command: node22(project), args: [EXPOSE_GC], ...node },
    {
      name: 'deno',
      command: bin('deno'),
      args: ['run', '-A', '--no-check', `--v8-flags=${EXPOSE_GC}`],
      suite: ['test/runtime/deno.ts'],
      server: ['test/runtime/serve-deno.ts'],
      inProject,
      ends,
    },
    {
      name: 'bun',
      command: bin('bun'),
      args: [],
      suite: ['test/runtime/bun.ts'],
      server: ['test/runtime/serve-bun.ts'],
      inProject,
      ends,
    },
    workerd('workerd old', 'miniflare', project),
    workerd('workerd new', 'wrangler', project),
  ]
}

function workerd(name: string, from: string, project: string): Runtime {
  const worker = join(project, 'test/runtime/worker.ts')
  return {
    name,
    command: process.execPath,
    args: [],
    suite: ['test/runtime/workerd.ts', from, worker],
    server: ['test/runtime/workerd.ts', from, worker, 'serve'],
    inProject: false,
    ends: 143,
  }
}

/**
 * Installs Node 22. It comes from npm like the others, but not from the lock file, which can have only one Node.
 *
 * @param project the fresh project
 * @returns the path of the program
 */
export function node22(project: string): string {
  const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error', '--no-save']
  const folder = join(project, 'node-22')
  run('npm', ['install', ...quiet, '--prefix', folder, NODE_22], project)
  return join(folder, 'node_modules', '.bin', 'node')
}
