import { expect, test } from 'vitest'
import { McpServer } from '../../src/server/server.ts'
import { quiet, served } from '../http/served.ts'
import { legacy, modern } from '../support/index.ts'

test.each([
  [{ name: '' }, /'name'/],
  [{ name: 5 }, /'name'/],
  [{ version: undefined }, /'version'/],
  [{ revisions: [] }, /'revisions'/],
  [{ revisions: ['2025-06-18', '2020-01-01'] }, /'revisions'.*2020-01-01/],
  [{ extensions: { bare: {} } }, /'bare'/],
  [{ pageSize: 0 }, /'pageSize'/],
  [{ cache: { scope: 'shared' } }, /scope/],
])('the option %j is a TypeError that names it', (options, message) => {
  const make = () => new McpServer({ name: 's', version: '1', ...(options as object) })
  expect(make).toThrow(TypeError)
  expect(make).toThrow(message)
})

test('the server says of itself what its author wrote', async () => {
  const icons = [{ src: 'https://a.example/i.png' }]
  const said = { title: 'T', description: 'D', websiteUrl: 'https://a.example', icons }
  const { ask } = served(quiet(said).server)
  expect((await ask(legacy('initialize'))).result?.['serverInfo']).toEqual({
    name: 'test-server',
    version: '1.2.3',
    ...said,
  })
})

test('revisions narrow what is served, in both eras', async () => {
  const { ask } = served(quiet({ revisions: ['2026-07-28', '2025-03-26'] }).server)
  expect((await ask(legacy('initialize'))).result?.['protocolVersion']).toBe('2025-03-26')
  expect((await ask(modern('server/discover'))).status).toBe(200)
})
