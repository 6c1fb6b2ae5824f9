import { expect, it } from 'vitest'
import { needsOf, Refusals, together } from '../../../src/server/ask/needs.ts'

it.each([
  ['elicitation/create', {}, { elicitation: { form: {} } }],
  ['elicitation/create', { mode: 'form' }, { elicitation: { form: {} } }],
  ['elicitation/create', { mode: 'url' }, { elicitation: { url: {} } }],
  ['sampling/createMessage', {}, { sampling: {} }],
  ['sampling/createMessage', { toolChoice: {} }, { sampling: { tools: {} } }],
  ['sampling/createMessage', { includeContext: 'none' }, { sampling: {} }],
  ['sampling/createMessage', { includeContext: 'allServers' }, { sampling: { context: {} } }],
  ['roots/list', {}, { roots: {} }],
] as const)('MR-04 %s with %j needs %j', (method, params, needs) => {
  expect(needsOf({ method, params })).toEqual(needs)
})

it('F51 parts of one capability are merged', () => {
  const parts = [
    { sampling: {} },
    { elicitation: { form: {} } },
    { sampling: { tools: {} } },
    { elicitation: { url: {} } },
  ]
  expect(together(parts)).toEqual({ sampling: { tools: {} }, elicitation: { form: {}, url: {} } })
})

it('what is refused together is named together, and what comes later is not', async () => {
  const refusals = new Refusals()
  const first = refusals.refuse({ roots: {} })
  refusals.refuse({ sampling: {} })
  await Promise.resolve()
  const later = refusals.refuse({ elicitation: { url: {} } })
  expect(refusals.whole(first)?.data).toEqual({ requiredCapabilities: { roots: {}, sampling: {} } })
  expect(refusals.whole(later)?.data).toEqual({
    requiredCapabilities: { elicitation: { url: {} } },
  })
  expect(refusals.whole(new Error('other'))).toBeUndefined()
})
