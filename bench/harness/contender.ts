/**
 * A peer in its own process, as the parent sees it.
 *
 * @module
 */
import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { PeerName } from './types.ts'

/** What the parent asks of a child. */
export type Command =
  | {
      readonly do: 'start'
      readonly row: string
      readonly peer: PeerName
      readonly base: boolean
      readonly sliceMs: number
    }
  | { readonly do: 'slice' }
  | { readonly do: 'measure'; readonly row: string; readonly peer: PeerName }

/** What a child answers. */
export interface Answer {
  readonly each?: number | undefined
  readonly figures?: Readonly<Record<string, number>> | undefined
  readonly unsupported?: boolean | undefined
  readonly error?: string | undefined
}

/** A running child. */
export interface Contender {
  ask(command: Command): Promise<Answer>
  stop(): Promise<void>
}

// So large a nursery that nothing is collected while allocations are weighed.
const ROOMY = ['--min-semi-space-size=128', '--max-semi-space-size=128']

/** Starts a child process; the parent's conditions and flags are inherited. */
export function startContender(purpose: 'slices' | 'figures'): Contender {
  const file = fileURLToPath(new URL('../child.ts', import.meta.url))
  const heap = purpose === 'figures' ? ROOMY : []
  const execArgv = [...process.execArgv, '--expose-gc', ...heap]
  const child = fork(file, { execArgv, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  return {
    async ask(command) {
      const answer: Answer = await exchange(child, command)
      if (answer.error !== undefined) throw new Error(answer.error)
      return answer
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
  }
}

function exchange(child: ChildProcess, command: Command): Promise<Answer> {
  return new Promise((resolve, reject) => {
    function settle(answer: unknown): void {
      child.off('exit', fail)
      if (isAnswer(answer)) resolve(answer)
      else reject(new Error('a child sent something else than an answer'))
    }
    function fail(code: number | null): void {
      child.off('message', settle)
      reject(new Error(`the child ended with ${code}`))
    }
    child.once('message', settle)
    child.once('exit', fail)
    child.send(command)
  })
}

function isAnswer(value: unknown): value is Answer {
  return typeof value === 'object' && value !== null
}
