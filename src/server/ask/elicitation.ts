/**
 * Asking the user: with a form, or on a page.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation
 * @module
 */
import type { ElicitValue, RequestedSchema } from '../../protocol/elicitation.ts'
import { InvalidParamsError } from '../../protocol/errors.ts'
import { isRecord } from '../../protocol/jsonrpc.ts'
import type { Params } from '../../protocol/jsonrpc.ts'
import type { ToJsonSchema } from '../../schema/convert.ts'
import { validateFormContent } from '../../schema/form-content.ts'
import { toFormSchema } from '../../schema/form.ts'
import { formatIssues } from '../../schema/issues.ts'
import { isStandardSchema } from '../../schema/standard.ts'
import type { InferOutput, StandardSchema } from '../../schema/standard.ts'
import type { Question } from './question.ts'

/** What every question may say. */
export interface QuestionOptions {
  /**
   * Milliseconds to wait for the answer where the client is asked while the call runs.
   *
   * @default the handler's `serverRequestTimeoutMs`, ten minutes: a person has to answer
   */
  readonly timeoutMs?: number | undefined
}

/** A form for the user. */
export interface FormQuestion<S> extends QuestionOptions {
  /** What the user reads. */
  readonly message: string
  /** A flat object of strings, numbers, booleans and choices: a schema, or the form itself. */
  readonly schema: S
}

/** A page for the user. */
export interface UrlQuestion extends QuestionOptions {
  /** What the user reads before deciding to go there. */
  readonly message: string
  /**
   * The page. No secrets and nothing personal in it: the client shows it. `ctx.callId` in it is a way to
   * find the call again, because it is the same in every round.
   */
  readonly url: string
  /**
   * What `ctx.notify.elicitationComplete` will name when the user is done. Only 2025-11-25 clients get it.
   *
   * @default a random one, for pages whose end nobody announces
   */
  readonly elicitationId?: string | undefined
}

/** What an accepted form holds. */
export type FormContent<S> = [S] extends [StandardSchema]
  ? InferOutput<S>
  : Readonly<Record<string, ElicitValue>>

/** What the user did with a form. */
export type FormAnswer<Content> =
  | { readonly action: 'accept'; readonly content: Content }
  | { readonly action: 'decline' | 'cancel'; readonly content?: undefined }

/** What the user did about a page. */
export interface UrlAnswer {
  readonly action: 'accept' | 'decline' | 'cancel'
}

/**
 * The question that shows a form.
 *
 * @throws {TypeError} if the schema is more than a form can show
 */
export function formQuestion(
  key: string,
  { message, schema, timeoutMs }: FormQuestion<StandardSchema | RequestedSchema>,
  toJsonSchema: ToJsonSchema | undefined,
): Question {
  const requestedSchema = toFormSchema(schema, {
    subject: `question '${key}': schema`,
    toJsonSchema,
  })
  return {
    key,
    method: 'elicitation/create',
    params: { message, requestedSchema },
    timeoutMs,
  }
}

/**
 * The question that sends the user to a page.
 *
 * @throws {TypeError} if the page has no http or https URL
 */
export function urlQuestion(key: string, question: UrlQuestion): Question {
  const { message, url, elicitationId, timeoutMs } = question
  if (!isWebUrl(url)) throw new TypeError(`question '${key}': url must be an http or https URL`)
  return {
    key,
    method: 'elicitation/create',
    params: { mode: 'url', message, url, elicitationId },
    timeoutMs,
  }
}

/**
 * Tells whether a value is a URL that a browser can open.
 *
 * @param url anything
 */
export function isWebUrl(url: unknown): boolean {
  return typeof url === 'string' && URL.canParse(url) && /^https?:/i.test(url)
}

/**
 * Reads the answer to a form. Only what was accepted is validated; the content of a declined or
 * cancelled form is dropped.
 *
 * @param schema the schema that was asked with
 * @param result the client's result
 * @throws {InvalidParamsError} if the result is malformed, or accepted content breaks the schema
 */
export async function readFormAnswer(
  schema: StandardSchema | RequestedSchema,
  result: Params,
): Promise<FormAnswer<unknown>> {
  const action = readAction(result)
  if (action !== 'accept') return { action }
  const { content } = result
  if (!isRecord(content)) throw new InvalidParamsError('The accepted form has no content')
  return { action, content: await validContent(schema, content) }
}

/**
 * Reads what the user did about a page.
 *
 * @param result the client's result
 * @throws {InvalidParamsError} if the result is malformed
 */
export function readAction(result: Params): UrlAnswer['action'] {
  const { action } = result
  if (action === 'accept' || action === 'decline' || action === 'cancel') return action
  throw new InvalidParamsError("The answer's action must be accept, decline or cancel")
}

async function validContent(
  schema: StandardSchema | RequestedSchema,
  content: Record<string, unknown>,
): Promise<unknown> {
  if (!isStandardSchema(schema)) {
    const issues = validateFormContent(schema, content)
    if (issues.length === 0) return content
    throw invalidContent(formatIssues(issues))
  }
  const checked = await schema['~standard'].validate(content)
  if (checked.issues === undefined) return checked.value
  throw invalidContent(formatIssues(checked.issues))
}

function invalidContent(problems: string): InvalidParamsError {
  return new InvalidParamsError(`The accepted form has invalid content: ${problems}`)
}
