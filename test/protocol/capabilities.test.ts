import { describe, expect, test } from 'vitest'
import {
  extensionSettings,
  isClientCapabilities,
  isServerCapabilities,
  missingCapabilities,
} from '../../src/protocol/capabilities.ts'

test.each([
  [{}, true],
  [{ sampling: {}, roots: { listChanged: true } }, true],
  [{ 'x-unknown': 1 }, true],
  [{ sampling: true }, false],
  [{ elicitation: null }, false],
  [{ extensions: [] }, false],
  [[], false],
  [null, false],
])('client capabilities are an object of objects: %j', (value, expected) => {
  expect(isClientCapabilities(value)).toBe(expected)
})

test.each([
  [{ tools: { listChanged: true }, logging: {} }, true],
  [{ tools: 'yes' }, false],
  ['tools', false],
])('server capabilities are an object of objects: %j', (value, expected) => {
  expect(isServerCapabilities(value)).toBe(expected)
})

test('the settings of an extension are its own, and objects', () => {
  const extensions = { 'acme/one': { depth: 1 } }
  expect(extensionSettings({ extensions }, 'acme/one')).toEqual({ depth: 1 })
  expect(extensionSettings({ extensions }, 'constructor')).toBeUndefined()
  expect(extensionSettings({}, 'acme/one')).toBeUndefined()
})

describe('what a client lacks', () => {
  test.each([
    [{ sampling: {} }, { sampling: {} }, undefined],
    [{ sampling: {} }, {}, { sampling: {} }],
    [{ sampling: { tools: {} } }, { sampling: {} }, { sampling: { tools: {} } }],
    [{ sampling: { tools: {} } }, { sampling: { tools: {}, context: {} } }, undefined],
    [{ roots: { listChanged: true } }, { roots: {} }, { roots: { listChanged: true } }],
    [
      { roots: { listChanged: true } },
      { roots: { listChanged: false } },
      { roots: { listChanged: true } },
    ],
    [{ roots: { listChanged: false } }, { roots: {} }, undefined],
    [
      { sampling: { tools: {} }, roots: {} },
      { sampling: {} },
      { sampling: { tools: {} }, roots: {} },
    ],
  ])('needs %j, has %j: %j', (required, declared, expected) => {
    expect(missingCapabilities(required, declared)).toEqual(expected)
  })

  test('elicitation without a mode means forms', () => {
    expect(missingCapabilities({ elicitation: { form: {} } }, { elicitation: {} })).toBeUndefined()
    expect(missingCapabilities({ elicitation: { url: {} } }, { elicitation: {} })).toEqual({
      elicitation: { url: {} },
    })
    expect(
      missingCapabilities({ elicitation: { form: {} } }, { elicitation: { url: {} } }),
    ).toEqual({
      elicitation: { form: {} },
    })
  })

  test('names of prototypes are not declared by anyone', () => {
    const required = { extensions: { constructor: {} } }
    expect(missingCapabilities(required, { extensions: {} })).toEqual(required)
  })
})
