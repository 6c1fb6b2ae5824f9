import { expect, it } from 'vitest'
import { metaOf } from '../../../src/client/eras/meta.ts'

it('CX-10 asks for progress only where it is wanted, under any token', () => {
  const params = { _meta: { own: 1 } }
  const onProgress = (): void => undefined
  expect(metaOf({ params }, 5)).toEqual({ own: 1 })
  expect(metaOf({ params, onProgress })).toEqual({ own: 1 })
  expect(metaOf({ params, onProgress }, 0)).toEqual({ own: 1, progressToken: 0 })
  expect(metaOf({ params: {}, resetOnProgress: true }, '')).toEqual({ progressToken: '' })
})

it('the application overrides what stands in the parameters', () => {
  const params = { _meta: { a: 1, b: 1 } }
  expect(metaOf({ params, meta: { b: 2 } })).toEqual({ a: 1, b: 2 })
  expect(metaOf({ params: { _meta: 'odd' } })).toEqual({})
})
