import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import * as zm from 'zod/mini'
import * as z3 from 'zod/v3'
import { jsonSchema } from '../../src/json-schema/index.ts'
import { compileSchema } from '../../src/schema/compile.ts'
import type { SchemaSide } from '../../src/schema/standard.ts'

function compile(schema: unknown, side: SchemaSide = 'input', toJsonSchema?: never) {
  const options = { subject: `tool 'x': ${side} schema`, side, toJsonSchema }
  return compileSchema(schema as z.ZodType, options)
}

const text = { type: 'string' }

describe('SC-02 the two sides', () => {
  const schema = z.object({
    q: z.string(),
    limit: z.number().default(10),
    tags: z.array(z.string()).optional().default([]),
    n: z.object({ s: z.string().default('x') }),
  })

  it('SC-02 does not require what has a default', async () => {
    const { json, validate } = compile(schema)
    expect(json.required).toEqual(['q', 'n'])
    expect(json).toMatchObject({ properties: { limit: { default: 10 }, tags: { default: [] } } })
    expect(json.properties?.['n']).not.toHaveProperty('required')
    expect(validate({ q: 'a', n: {} })).toEqual({
      value: { q: 'a', limit: 10, tags: [], n: { s: 'x' } },
    })
  })

  it('SC-02 requires it on the output side', () => {
    expect(compile(schema, 'output').json.required).toEqual(['q', 'limit', 'tags', 'n'])
  })

  it('stays synchronous unless the schema is not', async () => {
    expect(compile(z.object({})).validate({})).not.toBeInstanceOf(Promise)
    const slow = z.object({ a: z.string().refine(async (value) => value === 'a') })
    const pending = compile(slow).validate({ a: 'b' })
    expect(pending).toBeInstanceOf(Promise)
    expect((await pending).issues).toHaveLength(1)
  })
})

describe('SC-04 references', () => {
  it('SC-04 writes reused and registered schemas out', () => {
    const address = z.object({ street: z.string() }).meta({ id: 'CompileTestAddress' })
    const home = { type: 'object', properties: { street: text }, required: ['street'] }
    for (let round = 0; round < 2; round += 1) {
      const { json } = compile(z.object({ home: address, work: address }))
      expect(json).toMatchObject({ properties: { home, work: home } })
      expect(JSON.stringify(json)).not.toContain('$ref')
      expect(json).not.toHaveProperty('$defs')
    }
  })

  it('SC-04 keeps recursion at the root of the same document', () => {
    const tree = z.lazy((): z.ZodType => z.object({ value: z.string(), kids: z.array(tree) }))
    const { json } = compile(z.object({ a: tree, b: tree }))
    const names = Object.keys(json.$defs ?? {})
    expect(names).toHaveLength(1)
    const $ref = `#/$defs/${names[0]}`
    expect(json).toMatchObject({ properties: { a: { $ref }, b: { $ref } } })
  })

  it('SC-04 names the root when the root is recursive', () => {
    const tree = z.object({
      value: z.string(),
      get kids() {
        return z.array(tree)
      },
    })
    const $ref = '#/$defs/Root'
    const { json } = compile(tree)
    expect(json.type).toBe('object')
    expect(json).toMatchObject({ properties: { kids: { items: { $ref } } } })
    expect(json.$defs?.['Root']).toMatchObject({ properties: { kids: { items: { $ref } } } })
  })

  it('SC-04 shows the type of a root that is itself a reference', () => {
    const lazy = z.lazy((): z.ZodType => z.object({ next: lazy.optional() }))
    expect(compile(lazy).json.type).toBe('object')
  })
})

describe('SC-05 SC-10 what is a schema', () => {
  it.each([
    ['zod', z.object({ a: z.string() })],
    ['arktype', type({ a: 'string' })],
    ['valibot with its converter', toStandardJsonSchema(v.object({ a: v.string() }))],
    ['jsonSchema', jsonSchema({ type: 'object', properties: { a: text }, required: ['a'] })],
  ])('SC-05 F73 accepts %s', async (_, schema) => {
    const { json, validate } = compile(schema)
    expect(json).toMatchObject({ type: 'object', properties: { a: text }, required: ['a'] })
    expect(await validate({ a: 'x' })).toMatchObject({ value: { a: 'x' } })
    expect((await validate({})).issues).toHaveLength(1)
  })

  it.each([
    ['zod v3', z3.object({ a: z3.string() }), 'zod v3 schema; use zod >= 4'],
    ['zod/mini', zm.object({ a: zm.string() }), 'toJsonSchema'],
    ['plain valibot', v.object({ a: v.string() }), '@valibot/to-json-schema'],
    [
      'another library',
      { '~standard': { version: 1, vendor: 'acme', validate: () => ({}) } },
      'acme',
    ],
    ['an old zod v3', { _def: {}, safeParse() {} }, 'zod v3 schema; use zod >= 4'],
    ['a raw shape', { a: z.string() }, 'z.object({ … })'],
    ['a raw shape of zod v3', { a: z3.string() }, 'z.object({ … })'],
    ['plain JSON Schema', { type: 'object', properties: {} }, 'jsonSchema({ … })'],
    ['a string', 'string', 'Standard Schema'],
    ['null', null, 'Standard Schema'],
    ['an empty object', {}, 'Standard Schema'],
  ])('SC-05 SC-10 refuses %s with advice', (_, schema, advice) => {
    expect(() => compile(schema)).toThrow(TypeError)
    expect(() => compile(schema)).toThrow(advice)
    expect(() => compile(schema)).toThrow("tool 'x': input schema")
  })

  it('F73 takes an injected converter, also where the library has no answer', () => {
    const options = {
      subject: 'x',
      side: 'input',
      toJsonSchema: () => ({ type: 'object' }),
    } as const
    expect(compileSchema(v.object({}), options).json).toEqual({ type: 'object' })
    expect(compileSchema(z.object({ at: z.date() }), options).json).toEqual({ type: 'object' })
    const failing = {
      ...options,
      toJsonSchema: () => {
        throw new Error('cannot')
      },
    }
    expect(() => compileSchema(v.object({}), failing)).toThrow(
      'x cannot be expressed as JSON Schema',
    )
  })

  it.each([
    ['a date', z.object({ at: z.date() }), 'Date cannot be represented'],
    ['a scalar', z.string(), 'root type "object", not "string"'],
    ['an array', z.array(z.string()), 'not "array"'],
    ['a union with a scalar', z.union([z.object({}), z.string()]), 'an untyped one'],
    ['SC-11 void', z.void(), 'Void cannot be represented'],
    ['raw JSON Schema without a type', jsonSchema({ properties: {} }), 'an untyped one'],
  ])('FT-11 TY-05 refuses %s as input', (_, schema, message) => {
    expect(() => compile(schema)).toThrow(TypeError)
    expect(() => compile(schema)).toThrow(message)
  })

  it('refuses an absent output', () => {
    expect(() => compile(undefined, 'output')).toThrow(TypeError)
  })
})

describe('what is listed', () => {
  const empty = { type: 'object', properties: {}, additionalProperties: false }

  it.each([
    ['nothing', undefined],
    ['z.object({})', z.object({})],
  ])('SC-11 %s is the empty object', (_, schema) => {
    expect(compile(schema).json).toEqual(empty)
    expect(compile(schema).validate({})).toEqual({ value: {} })
  })

  it('SC-11 a loose or strict object stays what it says', () => {
    expect(compile(z.looseObject({})).json).toMatchObject({ additionalProperties: {} })
    expect(compile(z.looseObject({}), 'output').json).toMatchObject({ additionalProperties: {} })
  })

  it('TY-05 a union of objects gets the root type', () => {
    const schema = z.discriminatedUnion('k', [
      z.object({ k: z.literal('x'), x: z.string() }),
      z.object({ k: z.literal('y') }),
    ])
    expect(compile(schema).json).toMatchObject({ type: 'object', oneOf: [{}, {}] })
  })

  it('F78 an output may have any root', () => {
    expect(compile(z.array(z.string()), 'output').json).toEqual({ type: 'array', items: text })
    expect(compile(z.string(), 'output').json).toEqual(text)
  })

  it('FT-12 keeps raw JSON Schema word for word and copies it', () => {
    const $schema = 'http://json-schema.org/draft-07/schema#'
    const raw = { $schema, type: 'object', definitions: { a: {} }, 'x-ours': [1], $comment: 'c' }
    expect(compile(jsonSchema(raw)).json).toEqual(raw)
    expect(compile(jsonSchema(raw)).json).not.toBe(raw)
  })

  it('SC-07 keeps a property named __proto__', () => {
    const raw: Record<string, unknown> = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"}},"required":["__proto__"]}',
    )
    const { json, validate } = compile(jsonSchema(raw))
    expect(Object.keys(json.properties ?? {})).toEqual(['__proto__'])
    expect(Object.getPrototypeOf(json.properties)).toBe(Object.prototype)
    expect(validate({})).toHaveProperty('issues')
    expect(validate(JSON.parse('{"__proto__":"x"}'))).not.toHaveProperty('issues')
    expect(validate(JSON.parse('{"__proto__":1}'))).toHaveProperty('issues')
  })

  it('keeps annotations of properties, which header mirroring reads', () => {
    const schema = z.object({ city: z.string().meta({ 'x-mcp-header': 'City' }) })
    expect(compile(schema).json.properties?.['city']).toEqual({ ...text, 'x-mcp-header': 'City' })
  })
})
