import { expect, test } from 'vitest'
import { createHandler, McpServer } from 'mcp-edge'
import { APP_MIME_TYPE, apps, clientSupports, toolMeta, uiResource } from '../../src/apps/index.ts'
import { call, legacy, modern } from '../support/index.ts'

const ID = 'io.modelcontextprotocol/ui'
const SHOWS = { extensions: { [ID]: { mimeTypes: [APP_MIME_TYPE] } } }

function clock() {
  const server = new McpServer({ name: 'clock', version: '1.0.0' })
  server.use(apps())
  server.add(
    uiResource(
      'ui://clock/face.html',
      {
        name: 'face',
        ui: { csp: { connectDomains: ['https://time.example'] }, prefersBorder: true },
      },
      '<!doctype html><p>tick',
    ),
  )
  server.tool('time', { meta: toolMeta({ resourceUri: 'ui://clock/face.html' }) }, (_input, ctx) =>
    clientSupports(ctx) ? 'See the face.' : 'It is noon.',
  )
  return createHandler(server)
}

test('EX-03 EX-05 the extension is declared where it is used, and only there', async () => {
  const plain = createHandler(new McpServer({ name: 'plain', version: '1.0.0' }))
  const [without, with_] = await Promise.all(
    [plain, clock()].map((handler) => call(handler, modern('server/discover'))),
  )
  expect(without?.result?.['capabilities']).not.toHaveProperty('extensions')
  expect(with_?.result?.['capabilities']).toMatchObject({ extensions: { [ID]: {} } })
})

test('EX-05 EX-06 a page has its media type and settings, a tool both keys', async () => {
  const handler = clock()
  const ui = { csp: { connectDomains: ['https://time.example'] }, prefersBorder: true }
  const { result: listed } = await call(handler, modern('resources/list'))
  expect(listed?.['resources']).toMatchObject([
    { uri: 'ui://clock/face.html', mimeType: APP_MIME_TYPE, _meta: { ui } },
  ])
  const { result } = await call(handler, modern('resources/read', { uri: 'ui://clock/face.html' }))
  expect(result?.['contents']).toEqual([
    {
      uri: 'ui://clock/face.html',
      mimeType: APP_MIME_TYPE,
      text: '<!doctype html><p>tick',
      _meta: { ui },
    },
  ])
  const { result: tools } = await call(handler, modern('tools/list'))
  expect(tools?.['tools']).toMatchObject([
    {
      _meta: {
        ui: { resourceUri: 'ui://clock/face.html' },
        'ui/resourceUri': 'ui://clock/face.html',
      },
    },
  ])
})

test('EX-02 EX-04 EX-05 each call is judged by what its client declares; all get text', async () => {
  const handler = clock()
  const textFor = async (capabilities: Readonly<Record<string, unknown>>) => {
    const { result } = await call(handler, modern('tools/call', { name: 'time' }, { capabilities }))
    return JSON.stringify(result?.['content'])
  }
  expect(await textFor(SHOWS)).toContain('See the face.')
  for (const other of [
    {},
    { extensions: {} },
    { extensions: { [ID]: {} } },
    { extensions: { [ID]: { mimeTypes: ['text/html'] } } },
    { extensions: { [ID]: { mimeTypes: APP_MIME_TYPE } } },
    { extensions: { 'com.example/ui': { mimeTypes: [APP_MIME_TYPE] } } },
  ])
    expect(await textFor(other)).toContain('It is noon.')
  expect(await textFor(SHOWS)).toContain('See the face.')
})

test('EX-05 a legacy client says at initialize what it shows', async () => {
  const handler = clock()
  const opened = await call(handler, legacy('initialize', {}, { capabilities: SHOWS }))
  const session = opened.headers.get('mcp-session-id') ?? undefined
  expect(opened.result?.['capabilities']).toMatchObject({ extensions: { [ID]: {} } })
  const { result } = await call(handler, legacy('tools/call', { name: 'time' }, { session }))
  expect(JSON.stringify(result)).toContain('See the face.')
  await handler.close()
})

test('a client may show other media types', () => {
  const client = (mimeTypes: readonly string[]) => ({
    client: { info: undefined, capabilities: { extensions: { [ID]: { mimeTypes } } } },
  })
  expect(clientSupports(client(['text/x-app']), 'text/x-app')).toBe(true)
  expect(clientSupports(client(['text/x-app']))).toBe(false)
})
