import { expect, test } from 'vitest'
import { toolMeta, toolUi } from '../../src/apps/index.ts'

const PAGE = 'ui://app/page.html'

test('EX-06 the page is named under both keys, and what was there is kept', () => {
  const before = { 'com.example/x': 1, ui: { theme: 'dark', visibility: ['model'] } }
  const meta = toolMeta({ resourceUri: PAGE, visibility: ['app'] }, before)
  expect(meta).toEqual({
    'com.example/x': 1,
    ui: { theme: 'dark', resourceUri: PAGE, visibility: ['app'] },
    'ui/resourceUri': PAGE,
  })
  expect(before.ui).toEqual({ theme: 'dark', visibility: ['model'] })
  expect(toolMeta({ visibility: ['app'] })).toEqual({ ui: { visibility: ['app'] } })
})

test('EX-06 either key is read, the newer one first', () => {
  expect(toolUi({ _meta: { ui: { resourceUri: PAGE } } })).toEqual({ resourceUri: PAGE })
  expect(toolUi({ _meta: { 'ui/resourceUri': PAGE } })).toEqual({ resourceUri: PAGE })
  expect(
    toolUi({
      _meta: {
        ui: { resourceUri: PAGE, visibility: ['app', 'robot'] },
        'ui/resourceUri': 'ui://old',
      },
    }),
  ).toEqual({ resourceUri: PAGE, visibility: ['app'] })
  for (const meta of [
    undefined,
    {},
    { ui: 'x' },
    { ui: { resourceUri: 1 } },
    { 'ui/resourceUri': 2 },
  ])
    expect(toolUi({ _meta: meta })).toBeUndefined()
})

test('a mistake is said where it is made', () => {
  expect(() => toolMeta({ resourceUri: 'https://app/page.html' })).toThrow(TypeError)
  const nobody: object = { visibility: ['robot'] }
  expect(() => toolMeta(nobody)).toThrow("visibility must name 'model', 'app' or both")
  expect(() => toolMeta({ visibility: [] })).toThrow(TypeError)
})
