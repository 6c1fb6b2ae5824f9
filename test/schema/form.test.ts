import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { downgradeForm, isFormSchema, toFormSchema } from '../../src/schema/form.ts'
import {
  legacyTitledSelect,
  multiSelect,
  singleSelect,
  titledMultiSelect,
  titledSingleSelect,
} from '../../src/server/enum-schemas.ts'

const options = { subject: "question 'q': schema" }

function project(schema: unknown) {
  return toFormSchema(schema as z.ZodType, options)
}

describe('toFormSchema', () => {
  it('EL-02 projects a library schema to fields', () => {
    const form = project(
      z.object({
        name: z.string().min(1).max(9).meta({ title: 'Name', description: 'Yours' }),
        mail: z.email(),
        site: z.url(),
        day: z.iso.date(),
        at: z.iso.datetime(),
        id: z.uuid(),
        code: z.string().regex(/^x/),
        ratio: z.number().min(0).max(1),
        count: z.int().default(3),
        ok: z.boolean().default(true),
        nick: z.string().optional(),
      }),
    )
    expect(form).toEqual({
      type: 'object',
      properties: {
        name: { type: 'string', title: 'Name', description: 'Yours', minLength: 1, maxLength: 9 },
        mail: { type: 'string', format: 'email' },
        site: { type: 'string', format: 'uri' },
        day: { type: 'string', format: 'date' },
        at: { type: 'string', format: 'date-time' },
        id: { type: 'string' },
        code: { type: 'string' },
        ratio: { type: 'number', minimum: 0, maximum: 1 },
        count: { type: 'integer', default: 3 },
        ok: { type: 'boolean', default: true },
        nick: { type: 'string' },
      },
      required: ['name', 'mail', 'site', 'day', 'at', 'id', 'code', 'ratio'],
    })
  })

  it('EL-03 projects every way to write a choice', () => {
    const titled = z.union([
      z.literal('a').meta({ title: 'A' }),
      z.literal('b').meta({ title: 'B' }),
      z.literal('c'),
    ])
    const oneOf = [
      { const: 'a', title: 'A' },
      { const: 'b', title: 'B' },
      { const: 'c', title: 'c' },
    ]
    const form = project(
      z.object({
        plain: z.enum(['a', 'b']).default('a'),
        one: z.literal('only'),
        untitled: z.union([z.literal('a'), z.literal('b')]),
        titled,
        many: z
          .array(z.enum(['a', 'b']))
          .min(1)
          .max(2)
          .default(['a']),
        manyTitled: z.array(titled).default([]),
      }),
    )
    expect(form.properties).toEqual({
      plain: { type: 'string', enum: ['a', 'b'], default: 'a' },
      one: { type: 'string', enum: ['only'] },
      untitled: { type: 'string', enum: ['a', 'b'] },
      titled: { type: 'string', oneOf },
      many: {
        type: 'array',
        items: { type: 'string', enum: ['a', 'b'] },
        minItems: 1,
        maxItems: 2,
        default: ['a'],
      },
      manyTitled: { type: 'array', items: { anyOf: oneOf }, default: [] },
    })
  })

  it('EL-03 F125 F126 keeps all five kinds of a raw form', () => {
    const form = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        a: singleSelect(['x', 'y'], { default: '' }),
        b: multiSelect(['x', 'y'], { default: [], minItems: 0 }),
        c: titledSingleSelect({ x: 'X' }, { title: 'T', description: 'D' }),
        d: titledMultiSelect({ x: 'X' }, { maxItems: 1 }),
        e: legacyTitledSelect({ x: 'X', y: 'Y' }, { default: 'y' }),
      },
      required: ['a'],
    }
    expect(project(form)).toEqual(form)
  })

  it.each([
    ['an object', z.object({ bad: z.object({}) })],
    ['a list of text', z.object({ bad: z.array(z.string()) })],
    ['a nullable', z.object({ bad: z.string().nullable() })],
    ['a union', z.object({ bad: z.union([z.string(), z.number()]) })],
    ['a number choice', z.object({ bad: z.union([z.literal(1), z.literal(2)]) })],
    ['a raw object', { type: 'object', properties: { bad: { type: 'object' } } }],
    ['a boolean schema', { type: 'object', properties: { bad: true } }],
    ['a raw pattern', { type: 'object', properties: { bad: { type: 'string', pattern: 'x' } } }],
    ['a raw format', { type: 'object', properties: { bad: { type: 'string', format: 'uuid' } } }],
    ['a wrong default', { type: 'object', properties: { bad: { type: 'string', default: 1 } } }],
    ['a stray required', { type: 'object', properties: {}, required: ['bad'] }],
  ])('EL-02 refuses %s and names the property', (_, schema) => {
    expect(() => project(schema)).toThrow(TypeError)
    expect(() => project(schema)).toThrow("'bad'")
    expect(() => project(schema)).toThrow("question 'q': schema")
  })

  it('EL-02 refuses a root that is no object', () => {
    expect(() => project(z.string())).toThrow('must be an object of fields')
    expect(() => project(5)).toThrow(TypeError)
  })

  it('SC-07 keeps a property named __proto__', () => {
    const form = JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}')
    expect(JSON.stringify(project(form))).toBe(JSON.stringify(form))
  })
})

describe('downgradeForm', () => {
  const form = project({
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: {
      text: { type: 'string', default: 'x' },
      flag: { type: 'boolean', default: true },
      one: titledSingleSelect({ a: 'A', b: 'B' }, { default: 'a' }),
      many: multiSelect(['a']),
      must: titledMultiSelect({ a: 'A' }),
    },
    required: ['text', 'must'],
  })

  it('EL-10 writes what 2025-06-18 understands and says what is lost', () => {
    expect(downgradeForm(form)).toEqual({
      form: {
        type: 'object',
        properties: {
          text: { type: 'string' },
          flag: { type: 'boolean', default: true },
          one: { type: 'string', enum: ['a', 'b'], enumNames: ['A', 'B'] },
        },
        required: ['text'],
      },
      lost: ['must'],
    })
  })
})

describe('isFormSchema', () => {
  it('tells a form from anything else', () => {
    expect(isFormSchema({ type: 'object', properties: {} })).toBe(true)
    expect(isFormSchema({ type: 'object' })).toBe(false)
    expect(isFormSchema(null)).toBe(false)
  })
})
