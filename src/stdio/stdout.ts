/**
 * The output of a process, kept for the protocol: whatever else writes to it reaches stderr instead.
 *
 * @module
 */
import { Console } from 'node:console'
import type { EventEmitter } from 'node:events'
import process from 'node:process'
import { ConnectionClosedError } from '../rpc/errors.ts'

/** Our hold on the output. */
export interface Stdout {
  /**
   * Writes a line.
   *
   * @returns settles when there is room for more; undefined where there is
   * @throws when nobody reads any more
   */
  writeLine(text: string): Promise<void> | undefined
  /** Settles when everything written has been handed over. */
  flush(): Promise<void>
  /** Gives the output back to everyone. */
  release(): void
}

/** Methods of the console that print to stdout. */
const PRINTING = [
  'log',
  'info',
  'debug',
  'dir',
  'dirxml',
  'table',
  'group',
  'groupCollapsed',
  'count',
  'timeLog',
  'timeEnd',
] as const

/**
 * Takes the output. A stray `console.log`, ours or a dependency's, would otherwise end up between two
 * messages.
 *
 * @param onGone called once when nobody reads any more
 */
export function takeStdout(onGone: () => void): Stdout {
  const { stdout, stderr } = process
  // oxlint-disable-next-line typescript/unbound-method -- put back as it was, and called on its owner
  const original = stdout.write
  const write = original.bind(stdout)
  const elsewhere = new Console(stderr, stderr)
  const replaced = PRINTING.map((name) => [name, console[name]] as const)
  let gone = false
  let room: Promise<void> | undefined
  const lost = (): void => {
    if (gone) return
    gone = true
    onGone()
  }
  stdout.on('error', lost)
  // What a logger writes about that error would fail the same way, without end.
  stderr.on('error', ignore)
  stdout.write = stderr.write.bind(stderr)
  // Bun and Deno print without passing through the stream.
  for (const name of PRINTING) console[name] = elsewhere[name].bind(elsewhere)
  return {
    writeLine: (text) => {
      if (gone) throw new ConnectionClosedError('Nobody reads stdout any more')
      if (write(`${text}\n`)) return undefined
      room ??= roomIn(stdout).finally(() => {
        room = undefined
      })
      return room
    },
    flush: () =>
      new Promise((resolve) => {
        if (gone) resolve()
        else write('', () => resolve())
      }),
    release: () => {
      stdout.write = original
      for (const [name, method] of replaced) console[name] = method
      stdout.off('error', lost)
    },
  }
}

async function roomIn(stream: EventEmitter): Promise<void> {
  const events = ['drain', 'error', 'close']
  const { promise, resolve } = Promise.withResolvers<void>()
  for (const event of events) stream.once(event, resolve)
  await promise
  for (const event of events) stream.off(event, resolve)
}

function ignore(): void {}
