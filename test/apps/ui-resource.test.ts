import { expect, test } from 'vitest'
import { createHandler, McpServer } from 'mcp-edge'
import { APP_MIME_TYPE, uiResource } from '../../src/apps/index.ts'
import { call, modern } from '../support/index.ts'

test('EX-05 a page needs a ui:// URI and has one media type', () => {
  for (const uri of ['https://app/page.html', 'ui:', 'ui://', 'UI://x', '', 'file:///x'])
    expect(() => uiResource(uri, { name: 'page' }, '')).toThrow('uri must be a ui:// URI')
  const plain: object = { mimeType: 'text/html' }
  expect(() => uiResource('ui://a', { name: 'page', ...plain }, '')).toThrow(APP_MIME_TYPE)
  const same: object = { mimeType: APP_MIME_TYPE }
  expect(uiResource('ui://a', { name: 'page', ...same }, '').uri).toBe('ui://a')
})

test('a page may be made for each call, and says no more than it was told to', async () => {
  const server = new McpServer({ name: 'pages', version: '1.0.0' })
  const page = uiResource(
    'ui://app/page.html',
    { name: 'page', title: 'Page', meta: { 'com.example/x': 1 } },
    async (uri, ctx) => `<p>${uri} for ${ctx.era}`,
  )
  server.add(page)
  const handler = createHandler(server)
  const { result } = await call(handler, modern('resources/read', { uri: 'ui://app/page.html' }))
  expect(result?.['contents']).toEqual([
    {
      uri: 'ui://app/page.html',
      mimeType: APP_MIME_TYPE,
      text: '<p>ui://app/page.html for modern',
    },
  ])
  const { result: listed } = await call(handler, modern('resources/list'))
  expect(listed?.['resources']).toEqual([
    {
      uri: 'ui://app/page.html',
      name: 'page',
      title: 'Page',
      mimeType: APP_MIME_TYPE,
      _meta: { 'com.example/x': 1 },
    },
  ])
})
