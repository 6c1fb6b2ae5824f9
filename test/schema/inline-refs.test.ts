import { describe, expect, it } from 'vitest'
import type { JsonSchema } from '../../src/schema/json-schema.ts'
import { inlineReferences } from '../../src/schema/inline-refs.ts'

describe('inlineReferences', () => {
  it('returns a document without references as it is', () => {
    const schema = { type: 'object', $defs: { a: {} } }
    expect(inlineReferences(schema)).toBe(schema)
  })

  it('SC-04 inlines, with what stands beside the reference on top', () => {
    const schema = {
      properties: { a: { $ref: '#/$defs/a', description: 'mine' }, b: { $ref: '#/properties/a' } },
      prefixItems: [{ $ref: '#/$defs/t' }],
      $defs: { a: { type: 'string', description: 'theirs' }, t: true },
    }
    expect(inlineReferences(schema)).toEqual({
      properties: {
        a: { type: 'string', description: 'mine' },
        b: { type: 'string', description: 'mine' },
      },
      prefixItems: [true],
    })
  })

  it('SC-04 keeps mutual recursion and gives each its own name', () => {
    const schema = {
      items: { $ref: '#/$defs/a' },
      $defs: { a: { items: { $ref: '#/$defs/b' } }, b: { items: { $ref: '#/$defs/a' } } },
    }
    expect(inlineReferences(schema)).toEqual(schema)
    const clash = {
      items: { $ref: '#/$defs/n' },
      contains: { $ref: '#/definitions/n' },
      $defs: { n: { items: { $ref: '#/$defs/n' } } },
      definitions: { n: { contains: { $ref: '#/definitions/n' } } },
    }
    expect(inlineReferences(clash)).toEqual({
      items: { $ref: '#/$defs/n' },
      contains: { $ref: '#/$defs/n2' },
      $defs: { n: { items: { $ref: '#/$defs/n' } }, n2: { contains: { $ref: '#/$defs/n2' } } },
    })
  })

  it('leaves data that looks like a reference alone', () => {
    const schema = {
      items: { $ref: '#/$defs/a' },
      default: { $ref: '#/nowhere' },
      $defs: { a: { const: { $ref: '#/nowhere' } } },
    }
    const { items, default: kept } = inlineReferences(schema) as Record<string, unknown>
    expect(kept).toEqual({ $ref: '#/nowhere' })
    expect(items).toEqual({ const: { $ref: '#/nowhere' } })
  })

  it('SC-07 keeps prototype names', () => {
    const schema = JSON.parse(
      '{"properties":{"__proto__":{"$ref":"#/$defs/__proto__"}},"$defs":{"__proto__":{"type":"string"}}}',
    )
    expect(JSON.stringify(inlineReferences(schema))).toBe(
      '{"properties":{"__proto__":{"type":"string"}}}',
    )
  })

  it('gives up on documents that would explode', () => {
    const $defs: Record<string, JsonSchema> = { d14: { type: 'string' } }
    for (let level = 0; level < 14; level += 1) {
      const $ref = `#/$defs/d${level + 1}`
      $defs[`d${level}`] = { properties: { a: { $ref }, b: { $ref } } }
    }
    const schema = { properties: { a: { $ref: '#/$defs/d0' } }, $defs }
    expect(inlineReferences(schema)).toBe(schema)
  })
})
