/**
 * A server in a process of its own: started without a shell, in a small environment, and ended for
 * good.
 *
 * @module
 */
import { spawn } from 'node:child_process'
import type { ChildProcessByStdio } from 'node:child_process'
import process from 'node:process'
import type { Readable, Writable } from 'node:stream'
import { ConnectionClosedError } from '../rpc/errors.ts'
import { MAX_STDERR_TAIL_CHARS, SHUTDOWN_STEP_MS } from '../protocol/limits.ts'

/** Where a server's stderr goes: through to ours, nowhere, or to a listener. */
export type StderrTarget = 'inherit' | 'ignore' | ((text: string) => void)

/** How a process is started. */
export interface ChildOptions {
  /** The program; found on the `PATH`, never given to a shell. */
  readonly command: string
  readonly args?: readonly string[] | undefined
  /**
   * Added to the few variables a program needs to run (`PATH`, `HOME` and the like). Nothing else of
   * our environment is passed on: it may hold secrets that the server has no business with.
   */
  readonly env?: Readonly<Record<string, string>> | undefined
  readonly cwd?: string | undefined
  /** Default `inherit`. */
  readonly stderr?: StderrTarget | undefined
  /** Ends the children of the process too, for programs that only start the server. POSIX only. Default false. */
  readonly killTree?: boolean | undefined
}

/** Told what happens to the process. */
export interface ChildHandlers {
  readonly data: (chunk: Uint8Array) => void
  /** Called once, after the last output. */
  readonly exit: (why: string) => void
}

type Process = ChildProcessByStdio<Writable, Readable, Readable>

/** Variables that programs need to find their files and the user's settings. */
const INHERITED = [
  'HOME',
  'LANG',
  'LC_ALL',
  'LOGNAME',
  'PATH',
  'SHELL',
  'TERM',
  'TMPDIR',
  'USER',
  'APPDATA',
  'COMSPEC',
  'HOMEDRIVE',
  'HOMEPATH',
  'LOCALAPPDATA',
  'PATHEXT',
  'PROGRAMDATA',
  'PROGRAMFILES',
  'SYSTEMDRIVE',
  'SYSTEMROOT',
  'TEMP',
  'TMP',
  'USERNAME',
  'USERPROFILE',
  'WINDIR',
] as const

/** After a process has exited, its last output may still be on its way for this long. */
export const LAST_OUTPUT_MS = 250

/** One running process. */
export class Child {
  readonly #process: Process
  readonly #handlers: ChildHandlers
  readonly #killTree: boolean
  readonly #gone = Promise.withResolvers<void>()
  #stderrTail = ''
  #exited = false
  #ended = false
  #closing: Promise<void> | undefined
  #drained: Promise<void> | undefined

  private constructor(child: Process, options: ChildOptions, handlers: ChildHandlers) {
    this.#process = child
    this.#handlers = handlers
    this.#killTree = options.killTree === true
    child.stdout.on('data', (chunk: Uint8Array) => handlers.data(chunk))
    this.#passOn(options.stderr ?? 'inherit')
    // A process that is going away breaks its pipes; its exit says all there is to say.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', ignore)
    child.once('exit', (code, signal) => this.#onExit(code, signal))
    child.once('close', (code, signal) => this.#finish(code, signal))
  }

  /**
   * Starts a process and waits until it runs.
   *
   * @param options what to start
   * @param handlers told what happens
   * @throws the platform's error when it cannot be started
   */
  static async start(options: ChildOptions, handlers: ChildHandlers): Promise<Child> {
    const child = spawn(options.command, [...(options.args ?? [])], {
      shell: false,
      windowsHide: true,
      stdio: ['pipe', 'pipe', 'pipe'],
      env: environment(options.env),
      detached: options.killTree === true,
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    })
    const started = new Child(child, options, handlers)
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve)
      child.once('error', (error) => {
        // What never ran has no exit to tell of.
        started.#ended = true
        started.#gone.resolve()
        reject(error)
      })
    })
    child.on('error', ignore)
    return started
  }

  /**
   * Writes to the process.
   *
   * @param text one line, with its end
   * @returns settles when there is room for more
   * @throws {ConnectionClosedError} when the process is gone, or has closed its input
   */
  async write(text: string): Promise<void> {
    const { stdin } = this.#process
    if (this.#exited || !stdin.writable)
      throw new ConnectionClosedError('the process reads no input')
    if (!stdin.write(text)) await Promise.race([this.#room(), this.#gone.promise])
  }

  /** Ends the process: closes its input, then asks it, then kills it. Settles when it is gone. */
  close(): Promise<void> {
    this.#closing ??= this.#shutdown()
    return this.#closing
  }

  /** Kills the process at once, because it does not keep to the protocol. */
  kill(): void {
    this.#signal('SIGKILL')
  }

  async #shutdown(): Promise<void> {
    this.#process.stdin.end()
    if (await this.#within(SHUTDOWN_STEP_MS)) return
    this.#signal('SIGTERM')
    if (await this.#within(SHUTDOWN_STEP_MS)) return
    this.#signal('SIGKILL')
    await this.#gone.promise
  }

  async #within(ms: number): Promise<boolean> {
    const late = Promise.withResolvers<boolean>()
    const timer = setTimeout(() => late.resolve(false), ms)
    try {
      return await Promise.race([this.#gone.promise.then(() => true), late.promise])
    } finally {
      clearTimeout(timer)
    }
  }

  /** One listener serves everyone who waits for room. */
  #room(): Promise<void> {
    this.#drained ??= new Promise((resolve) => {
      this.#process.stdin.once('drain', () => {
        this.#drained = undefined
        resolve()
      })
    })
    return this.#drained
  }

  #signal(signal: 'SIGTERM' | 'SIGKILL'): void {
    const { pid } = this.#process
    if (pid === undefined || (this.#exited && !this.#killTree)) return
    try {
      // Not by the process object: Deno's sends no second signal.
      process.kill(this.#killTree ? -pid : pid, signal)
    } catch {
      // It was faster.
    }
  }

  #passOn(target: StderrTarget): void {
    const decoder = new TextDecoder()
    const source = this.#process.stderr
    source.on('data', (chunk: Uint8Array) => {
      const text = decoder.decode(chunk, { stream: true })
      this.#stderrTail = (this.#stderrTail + text).slice(-MAX_STDERR_TAIL_CHARS)
      if (target !== 'inherit') return target === 'ignore' ? undefined : target(text)
      // No faster than ours is read: what waits would pile up here.
      source.pause()
      process.stderr.write(chunk, () => source.resume())
    })
  }

  /** What the process left running may hold its output open; that is no reason to wait for it. */
  #onExit(code: number | null, signal: string | null): void {
    this.#exited = true
    const timer = setTimeout(() => this.#finish(code, signal), LAST_OUTPUT_MS)
    this.#gone.promise.finally(() => clearTimeout(timer)).catch(ignore)
  }

  #finish(code: number | null, signal: string | null): void {
    if (this.#ended) return
    this.#ended = true
    this.#exited = true
    if (this.#killTree) this.#signal('SIGKILL')
    for (const stream of [this.#process.stdin, this.#process.stdout, this.#process.stderr])
      stream.destroy()
    this.#gone.resolve()
    const how = signal === null ? `with code ${String(code)}` : `by ${signal}`
    const tail = this.#stderrTail.trim()
    this.#handlers.exit(`the process ended ${how}${tail === '' ? '' : `; its last words: ${tail}`}`)
  }
}

function environment(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  const env: Record<string, string> = {}
  for (const name of INHERITED) {
    const value = process.env[name]
    // A shell exports functions this way, and a value that is one would be run by the next shell.
    if (value !== undefined && !value.startsWith('()')) env[name] = value
  }
  return { ...env, ...extra }
}

function ignore(): void {}
