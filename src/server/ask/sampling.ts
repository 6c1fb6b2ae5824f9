/**
 * Asking the client's model.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/client/sampling
 * @module
 */
import { InvalidParamsError } from '../../protocol/errors.ts'
import { isRecord } from '../../protocol/jsonrpc.ts'
import type { Params } from '../../protocol/jsonrpc.ts'
import type {
  CreateMessageRequestParams,
  CreateMessageResult,
  SamplingMessage,
  SamplingMessageContentBlock,
} from '../../protocol/sampling.ts'
import type { QuestionOptions } from './elicitation.ts'
import type { Question } from './question.ts'

/** What the model is asked. */
export type SampleQuestion = Omit<CreateMessageRequestParams, '_meta'> & QuestionOptions

/** What the model said. */
export interface Sample extends CreateMessageResult {
  /** The text of the answer, all blocks of it joined. */
  readonly text: string
}

/**
 * The question that asks the model.
 *
 * @throws {TypeError} if `maxTokens` is missing, or tool uses and tool results do not pair
 */
export function sampleQuestion(key: string, { timeoutMs, ...params }: SampleQuestion): Question {
  const problem = samplingProblem(params)
  if (problem !== undefined) throw new TypeError(`question '${key}': ${problem}`)
  return {
    key,
    method: 'sampling/createMessage',
    params: { ...params },
    timeoutMs,
  }
}

/**
 * What is wrong with a question to the model.
 *
 * @param params what is asked
 * @returns undefined when nothing is wrong
 */
export function samplingProblem({
  maxTokens,
  messages,
}: CreateMessageRequestParams): string | undefined {
  const countable = Number.isSafeInteger(maxTokens) && maxTokens > 0
  return countable ? pairingProblem(messages) : 'maxTokens must be a positive integer'
}

/**
 * What is wrong with the tool uses in a conversation: each is answered in the very next message,
 * which holds nothing else.
 *
 * @param messages the conversation
 * @returns undefined when nothing is wrong
 */
export function pairingProblem(messages: readonly SamplingMessage[]): string | undefined {
  let open: readonly string[] = []
  for (const message of messages) {
    const blocks = blocksOf(message)
    const answered = blocks.flatMap((block) =>
      block.type === 'tool_result' ? [block.toolUseId] : [],
    )
    if (answered.length > 0 && answered.length < blocks.length) {
      return 'a message with tool results holds nothing else'
    }
    if (open.length !== answered.length || open.some((id) => !answered.includes(id))) {
      return 'every tool use is answered by a tool result in the next message'
    }
    open = blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []))
  }
  return open.length === 0 ? undefined : 'the last message leaves tool uses unanswered'
}

function blocksOf(message: SamplingMessage): readonly SamplingMessageContentBlock[] {
  const { content } = message
  return isList(content) ? content : [content]
}

function isList(
  content: SamplingMessage['content'],
): content is readonly SamplingMessageContentBlock[] {
  return Array.isArray(content)
}

/**
 * Reads what the model said.
 *
 * @param result the client's result
 * @throws {InvalidParamsError} if the result is malformed
 */
export function readSample(result: Params): Sample {
  if (!isCreateMessageResult(result)) {
    throw new InvalidParamsError('The answer must have a role, a model and content')
  }
  const texts = blocksOf(result).flatMap((block) => (block.type === 'text' ? [block.text] : []))
  return { ...result, text: texts.join('') }
}

/**
 * Tells whether a value is the result of sampling.
 *
 * @param value a result from the wire
 */
export function isCreateMessageResult(value: unknown): value is CreateMessageResult {
  if (!isRecord(value) || typeof value['model'] !== 'string') return false
  if (value['role'] !== 'assistant' && value['role'] !== 'user') return false
  const { content } = value
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content]
  return blocks.every((block) => isRecord(block) && typeof block['type'] === 'string')
}
