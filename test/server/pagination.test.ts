import { describe, expect, test } from 'vitest'
import { paginate } from '../../src/server/pagination.ts'
import { quiet, served } from '../http/served.ts'
import { legacy, listOf, modern } from '../support/index.ts'

function paged(count: number, pageSize: number | null) {
  const { server } = quiet({ pageSize, cache: { ttlMs: 5, scope: 'public' } })
  for (let index = 0; index < count; index += 1) {
    server.tool(`t${index}`, {}, () => 'x')
    server.resource(`r://${index}`, { name: `r${index}` }, () => 'x')
    server.resourceTemplate(`r${index}://{id}`, { name: `r${index}` }, () => 'x')
    server.prompt(`p${index}`, {}, () => [])
  }
  return served(server)
}

const LISTS = [
  ['tools/list', 'tools'],
  ['resources/list', 'resources'],
  ['resources/templates/list', 'resourceTemplates'],
  ['prompts/list', 'prompts'],
] as const

describe.each(LISTS)('%s', (method, member) => {
  test('FT-34 pages hold everything once, in order, with one scope', async () => {
    const { ask } = paged(5, 2)
    const names: unknown[] = []
    const scopes: unknown[] = []
    let cursor: unknown
    do {
      const answer = await ask(modern(method, cursor === undefined ? {} : { cursor }))
      names.push(...listOf(answer, member).map(({ name }) => String(name).slice(1)))
      scopes.push(answer.result?.['cacheScope'])
      cursor = answer.result?.['nextCursor']
    } while (cursor !== undefined)
    expect(names).toEqual(['0', '1', '2', '3', '4'])
    expect(scopes).toEqual(['public', 'public', 'public'])
  })

  test.each(['', '0', '1', '3', '6', '99', '-2', '2.0', ' 2', '2x', '1e1', 5, null, {}])(
    'FT-29 FT-30 the cursor %j, which we never gave out, is -32602',
    async (cursor) => {
      const { ask } = paged(5, 2)
      for (const build of [modern, legacy]) {
        const answer = await ask(build(method, { cursor }))
        expect([answer.status, answer.error]).toEqual([
          200,
          { code: -32602, message: 'Invalid cursor' },
        ])
      }
    },
  )

  test('lists come whole unless a page size is set, and then there is no cursor to give', async () => {
    const { ask } = paged(5, null)
    const { result } = await ask(modern(method))
    expect(result?.[member]).toHaveLength(5)
    expect(result).not.toHaveProperty('nextCursor')
    expect((await ask(modern(method, { cursor: '2' }))).error?.['code']).toBe(-32602)
  })
})

test('a page that ends with the list is the last', () => {
  expect(paginate([1, 2, 3, 4], 2, '2')).toEqual({ items: [3, 4] })
  expect(paginate([], 2, undefined)).toEqual({ items: [] })
})

test('an option that is no page size is a TypeError', () => {
  for (const pageSize of [0, -1, 1.5, '5', Infinity]) {
    expect(() => quiet({ pageSize: pageSize as never })).toThrow(/pageSize/)
  }
})
