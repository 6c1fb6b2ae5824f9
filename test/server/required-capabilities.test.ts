import { expect, test } from 'vitest'
import { missingCapabilities } from '../../src/server/required-capabilities.ts'

test.each([
  [{}, {}, undefined],
  [{ sampling: {} }, { sampling: {} }, undefined],
  [{ sampling: {} }, {}, { sampling: {} }],
  [{ sampling: { tools: {} } }, { sampling: {} }, { sampling: { tools: {} } }],
  [{ elicitation: { form: {} } }, { elicitation: {} }, undefined],
  [{ elicitation: { form: {} } }, { elicitation: { url: {} } }, { elicitation: { form: {} } }],
  [{ elicitation: { url: {} } }, { elicitation: {} }, { elicitation: { url: {} } }],
  [
    { roots: { listChanged: true } },
    { roots: { listChanged: false } },
    { roots: { listChanged: true } },
  ],
  [{ roots: undefined, sampling: {} }, { roots: {} }, { sampling: {} }],
  [{ extensions: { 'a/b': {} } }, { extensions: { 'c/d': {} } }, { extensions: { 'a/b': {} } }],
])('of %j a client with %j lacks %j', (required, declared, missing) => {
  expect(missingCapabilities(required, declared)).toEqual(missing)
})
