/**
 * What `server.tool` accepts and refuses at compile time. Nothing here runs.
 *
 * @module
 */
import { expectTypeOf } from 'vitest'
import * as z from 'zod'
import type { AnyTool } from '../../src/server/definitions.ts'
import type { InputRequired } from '../../src/server/input-required/result.ts'
import type {
  CheckReturn,
  EmptyInput,
  InputSchema,
  ToolConfig,
  ToolHandler,
} from '../../src/server/tool-types.ts'
import type { StandardSchema } from '../../src/schema/standard.ts'
import { jsonSchema } from '../../src/json-schema/index.ts'
import { image, text } from '../../src/server/content.ts'
import { toolResult } from '../../src/server/tool-result.ts'

interface Ctx {
  readonly signal: AbortSignal
  readonly data: { readonly userId: string }
}

declare function tool<
  I extends InputSchema | undefined = undefined,
  O extends StandardSchema | undefined = undefined,
  H extends ToolHandler<I, O, Ctx> = ToolHandler<I, O, Ctx>,
>(name: string, config: ToolConfig<I, O>, handler: H & CheckReturn<H, O>): AnyTool

const weather = z.object({
  celsius: z.number(),
  note: z.string().optional(),
  place: z
    .object({ name: z.string(), geo: z.object({ lat: z.number(), alt: z.number().optional() }) })
    .optional(),
})

// --- what a handler receives ---

tool(
  'typed',
  { input: z.object({ city: z.string(), days: z.number().default(1) }) },
  ({ city, days }, ctx) => {
    expectTypeOf(city).toEqualTypeOf<string>()
    expectTypeOf(days).toEqualTypeOf<number>()
    expectTypeOf(ctx).toEqualTypeOf<Ctx>()
    return city
  },
)

// TY-04 handlers are always (input, ctx)
tool('noargs', {}, (input, ctx) => {
  expectTypeOf(input).toEqualTypeOf<EmptyInput>()
  return String(ctx.signal.aborted)
})
tool('opt', { input: undefined }, async (_input, ctx) => ctx.data.userId)

// TY-05 unions narrow
tool(
  'union',
  {
    input: z.discriminatedUnion('k', [
      z.object({ k: z.literal('x'), onlyOnX: z.string() }),
      z.object({ k: z.literal('y') }),
    ]),
  },
  (input) => (input.k === 'x' ? input.onlyOnX : input.k),
)
// @ts-expect-error TY-05 the root of an input is an object
tool('string', { input: z.string() }, () => 'x')
// @ts-expect-error TY-05 the root of an input is an object
tool('array', { input: z.array(z.string()) }, () => 'x')
// @ts-expect-error SC-10 plain JSON Schema needs jsonSchema()
tool('plain', { input: { type: 'object', properties: {} } }, () => 'x')
// @ts-expect-error SC-05 a raw shape is not a schema
tool('raw', { input: { a: z.string() } }, () => 'x')
// @ts-expect-error a misspelt option
tool('option', { descripton: 'x' }, () => 'x')

tool('json', { input: jsonSchema({ type: 'object', properties: {} }) }, (input) => {
  expectTypeOf(input).toEqualTypeOf<Record<string, unknown>>()
  return 'x'
})
tool('typed-json', { input: jsonSchema<{ a: string }>({ type: 'object' }) }, ({ a }) => a)

// TY-03 another copy of a library is as good, whatever its version
interface OtherZodString {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly types?: { readonly input: { a: string }; readonly output: { a: string } } | undefined
    readonly validate: (
      value: unknown,
      options?: { readonly libraryOptions?: Record<string, unknown> | undefined },
    ) =>
      | { readonly value: { a: string }; readonly issues?: undefined }
      | { readonly issues: ReadonlyArray<{ readonly message: string }> }
    readonly jsonSchema: {
      readonly input: (options: {
        readonly target: 'draft-2020-12' | 'draft-07' | ({} & string)
      }) => Record<string, unknown>
      readonly output: (options: {
        readonly target: 'draft-2020-12' | 'draft-07' | ({} & string)
      }) => Record<string, unknown>
    }
  }
}
declare const other: OtherZodString
tool('other', { input: other }, ({ a }) => a)

// --- what a handler without output returns ---

tool('text', {}, () => 'x')
tool('block', {}, async () => text('x'))
tool('blocks', {}, () => [text('x'), image('', 'image/png')])
tool('built', {}, () => toolResult({ content: [text('x')], isError: true, meta: { a: 1 } }))
tool('structured', {}, () => toolResult({ structuredContent: { any: 'thing' } }))
tool('throws', {}, () => {
  throw new Error('x')
})
declare const question: InputRequired
tool('asks', {}, (_, ctx) => (ctx.signal.aborted ? question : 'x'))
// @ts-expect-error a bare value needs output
tool('bare', {}, () => ({ celsius: 1 }))
// @ts-expect-error nothing is no answer
tool('nothing', {}, () => {})
// @ts-expect-error an unbranded result
tool('unbranded', {}, () => ({ content: [text('x')] }))
// @ts-expect-error a misspelt optional property of a block
tool('misspelt-block', {}, () => ({ type: 'text', text: 'x', annotation: {} }))
// @ts-expect-error a misspelt member of a built result
tool('misspelt-result', {}, () => toolResult({ contents: [text('x')] }))

// --- what a handler with output returns: F80 ---

tool('exact', { output: weather }, () => ({ celsius: 1, note: 'x' }))
tool('exact-async', { output: weather }, async () => ({ celsius: 1 }))
tool('exact-deep', { output: weather }, () => ({
  celsius: 1,
  place: { name: 'x', geo: { lat: 1 } },
}))
tool('exact-built', { output: weather }, () =>
  toolResult({ content: [text('x')], structuredContent: { celsius: 1 } }),
)
tool('exact-error', { output: weather }, () => toolResult({ content: [text('no')], isError: true }))
tool('exact-asks', { output: weather }, async (_, ctx) =>
  ctx.signal.aborted ? question : { celsius: 1 },
)

// @ts-expect-error F80 a missing property
tool('missing', { output: weather }, () => ({ note: 'x' }))
// @ts-expect-error F80 a misspelt required property
tool('misspelt', { output: weather }, () => ({ celcius: 1 }))
// @ts-expect-error F80 a misspelt optional property
tool('misspelt-optional', { output: weather }, () => ({ celsius: 1, nota: 'x' }))
// @ts-expect-error F80 the same, asynchronously
tool('misspelt-async', { output: weather }, async () => ({ celsius: 1, nota: 'x' }))
const stray = { celsius: 1, nota: 'x' }
// @ts-expect-error F80 the same, through a variable
tool('misspelt-variable', { output: weather }, () => stray)
// @ts-expect-error F80 the same, through a variable and a promise
tool('misspelt-promise', { output: weather }, async () => Promise.resolve(stray))
// @ts-expect-error F80 in one branch only
tool('misspelt-branch', { output: weather }, (_, ctx) =>
  ctx.signal.aborted ? { celsius: 1 } : stray,
)
// @ts-expect-error F80 two levels down
tool('misspelt-two', { output: weather }, () => ({
  celsius: 1,
  place: { name: 'x', geo: { lat: 1 }, nam: 'y' },
}))
const deep = { celsius: 1, place: { name: 'x', geo: { lat: 1, alti: 2 } } }
// @ts-expect-error F80 three levels down, through a variable
tool('misspelt-three', { output: weather }, () => deep)
// @ts-expect-error F80 the wrong type
tool('wrong', { output: weather }, () => ({ celsius: '1' }))
// @ts-expect-error F80 text is no output
tool('text-output', { output: weather }, () => 'x')
// @ts-expect-error F80 content is no output
tool('content-output', { output: weather }, () => text('x'))
// @ts-expect-error F80 an unbranded result
tool('unbranded-output', { output: weather }, () => ({
  content: [],
  structuredContent: { celsius: 1 },
}))
// @ts-expect-error F80 wrong structured content inside a built result
tool('wrong-built', { output: weather }, () => toolResult({ structuredContent: { celsius: '1' } }))
// @ts-expect-error F80 a stray key inside a built result
tool('stray-built', { output: weather }, () =>
  toolResult({ structuredContent: { celsius: 1, nota: 'x' } }),
)
// @ts-expect-error F80 a stray key inside a built result, through a variable
tool('stray-built-variable', { output: weather }, () => toolResult({ structuredContent: stray }))

// enum and literals keep their types
tool('enum', { output: z.enum(['a', 'b']) }, () => 'a')
const alarm = z.object({ level: z.enum(['low', 'high']) })
tool('enum-object', { output: alarm }, async () => ({ level: 'low' }))
// @ts-expect-error not a member
tool('enum-wrong', { output: alarm }, () => ({ level: 'middle' }))

// unions
const either = z.discriminatedUnion('k', [
  z.object({ k: z.literal('a'), a: z.number() }),
  z.object({ k: z.literal('b'), b: z.string() }),
])
tool('union-output', { output: either }, (_, ctx) =>
  ctx.signal.aborted ? { k: 'a', a: 1 } : { k: 'b', b: 'x' },
)
// @ts-expect-error a stray key
tool('union-stray', { output: either }, () => ({ k: 'a' as const, a: 1, c: 1 }))
// @ts-expect-error a missing key
tool('union-missing', { output: either }, () => ({ k: 'a' }))

// arrays and tuples
const rows = z.array(z.object({ id: z.number(), label: z.string().optional() }))
tool('array-output', { output: rows }, () => [{ id: 1 }, { id: 2, label: 'x' }])
// @ts-expect-error a stray key in an element
tool('array-stray', { output: rows }, () => [{ id: 1, lable: 'x' }])
const listed = [{ id: 1, lable: 'x' }]
// @ts-expect-error a stray key in an element, through a variable
tool('array-variable', { output: rows }, () => listed)
tool('array-mapped', { output: rows }, () => [1, 2].map((id) => ({ id })))
tool('tuple', { output: z.tuple([z.string(), z.object({ n: z.number() })]) }, () => ['x', { n: 1 }])
// @ts-expect-error a tuple too short
tool('tuple-short', { output: z.tuple([z.string(), z.number()]) }, () => ['x'])
tool('scalar', { output: z.number() }, () => 1)
tool('null', { output: z.null() }, () => null)

// recursion
const tree = z.object({
  value: z.string(),
  get children() {
    return z.array(tree).optional()
  },
})
tool('recursive', { output: tree }, () => ({
  value: 'a',
  children: [{ value: 'b', children: [{ value: 'c' }] }],
}))
// @ts-expect-error a stray key below the root
tool('recursive-stray', { output: tree }, () => ({
  value: 'a',
  children: [{ value: 'b', child: [] }],
}))
interface Node {
  readonly value: string
  readonly children?: readonly Node[] | undefined
}
declare const node: Node
tool('recursive-interface', { output: jsonSchema<Node>({ type: 'object' }) }, () => node)

// the value is the schema's input type
tool('defaults', { output: z.object({ n: z.number().default(1), s: z.string() }) }, () => ({
  s: 'x',
}))

// open shapes are exempt
declare const anything: ReturnType<typeof JSON.parse>
tool('any', { output: weather }, () => anything)
tool('unknown-output', { output: z.unknown() }, () => ({ a: 1 }))
tool('record', { output: z.record(z.string(), z.number()) }, () => ({ a: 1 }))
tool('loose', { output: z.looseObject({ a: z.number() }) }, () => ({ a: 1, b: 2 }))
tool(
  'nested-record',
  { output: z.object({ by: z.record(z.string(), z.object({ n: z.number() })) }) },
  () => ({ by: { a: { n: 1 } } }),
)
tool('raw-output', { output: jsonSchema({ type: 'object' }) }, () => ({ a: 1 }))
// @ts-expect-error beside a record the keys still count
tool('beside-record', { output: z.object({ by: z.record(z.string(), z.number()) }) }, () => ({
  by: {},
  bye: {},
}))
