import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { jsonSchema } from '../../src/json-schema/index.ts'
import { toJsonSchemaDocument } from '../../src/schema/convert.ts'

describe('toJsonSchemaDocument', () => {
  const options = { subject: 'x', side: 'input' } as const

  it('drops the default dialect of what a library generated, and keeps it in raw JSON Schema', () => {
    expect(toJsonSchemaDocument(z.object({ a: z.string() }), options)).not.toHaveProperty('$schema')
    const $schema = 'https://json-schema.org/draft/2020-12/schema'
    const raw = jsonSchema({ $schema, type: 'object' })
    expect(toJsonSchemaDocument(raw, options)).toHaveProperty('$schema', $schema)
  })

  it('FT-15 bounds what a library generates', () => {
    let deep: z.ZodType = z.string()
    for (let level = 0; level < 70; level += 1) deep = z.object({ a: deep })
    expect(() => toJsonSchemaDocument(deep, options)).toThrow('nests more than 64 levels')
  })

  it('keeps the cause of what cannot be converted', () => {
    expect(() => toJsonSchemaDocument(z.object({ a: z.bigint() }), options)).toThrow(
      expect.objectContaining({ cause: expect.any(Error) }),
    )
  })
})
