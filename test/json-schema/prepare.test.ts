import { describe, expect, it } from 'vitest'
import { prepareSchema } from '../../src/json-schema/prepare.ts'
import { checkJsonSchema } from '../../src/schema/bounds.ts'

function prepare(schema: object): object {
  return prepareSchema(checkJsonSchema(schema, 'x'), 'x')
}

describe('prepareSchema', () => {
  it('rewrites in a copy only', () => {
    const schema = { $dynamicAnchor: 'a', items: { $dynamicRef: '#a', format: 'acme' } }
    expect(prepare(schema)).toMatchObject({ $anchor: 'a', items: { $ref: '#a' } })
    expect(prepare(schema)).not.toHaveProperty('items.format')
    expect(schema.items).toEqual({ $dynamicRef: '#a', format: 'acme' })
  })

  it('keeps a tighter bound on unique items', () => {
    expect(prepare({ uniqueItems: true, maxItems: 3 })).toHaveProperty('maxItems', 3)
    expect(prepare({ uniqueItems: true })).toHaveProperty('maxItems', 2_000)
    expect(prepare({ uniqueItems: false })).not.toHaveProperty('maxItems')
  })
})
