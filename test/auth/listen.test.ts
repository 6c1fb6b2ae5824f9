import { expect, test } from 'vitest'
import { createHandler, McpServer } from 'mcp-edge'
import { bearerAuth } from '../../src/auth/index.ts'
import { fakeClock } from '../support/clock.ts'
import { read } from '../support/answer.ts'
import { modern } from '../support/requests.ts'
import { createIssuer, ISSUER } from './issuer.ts'

test('AR-15 a listen stream ends with its result when the token expires', async () => {
  const issuer = await createIssuer()
  const resource = 'http://localhost/mcp'
  const start = Math.floor(Date.now() / 1000)
  const clock = fakeClock(start * 1000)
  const server = new McpServer({ name: 'listened', version: '1.0.0' })
  server.tool('any', {}, () => 'x')
  const { fetch } = issuer
  const authenticate = bearerAuth({ issuer: ISSUER, resource, fetch, now: clock.now })
  const handler = createHandler(server, { authenticate, clock })
  const token = await issuer.token({ aud: resource, exp: start + 60 })
  const headers = { authorization: `Bearer ${token}` }
  const filter = { notifications: { toolsListChanged: true } }
  const response = await handler(modern('subscriptions/listen', filter, { headers }))
  expect(response.status).toBe(200)
  const ended = read(response)
  await clock.advance(59_000)
  expect(handler.stats()).toMatchObject({ listeners: 1 })
  await clock.advance(2_000)
  const { result, notifications } = await ended
  expect(result).toBeDefined()
  expect(notifications.map(({ method }) => method)).toContain(
    'notifications/subscriptions/acknowledged',
  )
  expect(handler.stats()).toMatchObject({ listeners: 0, streams: 0 })
  const again = await handler(modern('subscriptions/listen', filter, { headers }))
  expect(again.status).toBe(200)
  await again.body?.cancel()
  await clock.advance(60_000)
  expect((await handler(modern('tools/list', {}, { headers }))).status).toBe(401)
})
