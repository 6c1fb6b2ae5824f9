/**
 * Running a handler that may ask the client.
 *
 * @module
 */
import type { Call } from '../call.ts'
import { Context } from '../context.ts'
import type { ServerCore } from '../core.ts'
import { isInputRequired } from '../input-required/result.ts'
import type { InputRequired } from '../input-required/result.ts'

/** A handler with its input: what is left is its context. */
export type Run = (ctx: Context) => unknown

/**
 * Runs a handler until it returns something that is not a question, or a result that asks. Waits
 * only where there is something to wait for.
 *
 * @param core the server
 * @param call what is answered
 * @param run the handler
 * @returns what the handler returned, or `Asked`; a promise of it where it is not at hand
 * @throws whatever the handler throws, unless a question of it is open
 */
export function runHandler(core: ServerCore, call: Call, run: Run): unknown {
  return isRetry(call)
    ? resume(core, call, run)
    : attempt(core, call, { run, ctx: new Context(call, core) })
}

interface Attempt {
  readonly run: Run
  readonly ctx: Context
}

async function resume(core: ServerCore, call: Call, run: Run): Promise<unknown> {
  const asker = await core.rulesOf(call.caller).resume(call)
  return attempt(core, call, { run, ctx: new Context(call, core, asker) })
}

function attempt(core: ServerCore, call: Call, { run, ctx }: Attempt): unknown {
  try {
    const returned = run(ctx)
    const waits = isThenable(returned) || isInputRequired(returned)
    if (!waits && Context.askerOf(ctx) === undefined) return returned
    return settled(core, call, { run, ctx, returned })
  } catch (error) {
    return caught(ctx, error)
  }
}

async function settled(
  core: ServerCore,
  call: Call,
  { run, ctx, returned: returning }: Attempt & { readonly returned: unknown },
): Promise<unknown> {
  try {
    const returned = await returning
    if (isInputRequired(returned)) warnOfDeprecated(core, call, returned)
    else if (Context.askerOf(ctx) === undefined) return returned
    const asker = Context.askerOf(ctx) ?? core.askerFor(call)
    return await asker.settle(returned, async () => run(new Context(call, core, asker)))
  } catch (error) {
    return caught(ctx, error)
  }
}

function caught(ctx: Context, error: unknown): unknown {
  const asker = Context.askerOf(ctx)
  if (asker === undefined) throw error
  return asker.caught(error)
}

function warnOfDeprecated(core: ServerCore, call: Call, { requests = {} }: InputRequired): void {
  for (const { method } of Object.values(requests)) {
    if (method === 'sampling/createMessage') core.deprecated(call, 'sampling')
    if (method === 'roots/list') core.deprecated(call, 'roots')
  }
}

/**
 * Tells whether a request brings answers or a state, and so continues an earlier one.
 *
 * @param call a call
 */
export function isRetry({ params }: Call): boolean {
  return params['requestState'] !== undefined || params['inputResponses'] !== undefined
}

/** A promise, of this realm or another. */
function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value
}
