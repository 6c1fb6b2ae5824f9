import { expect, it } from 'vitest'
import { bearerToken, Client, UnauthorizedError } from '../../src/client/index.ts'
import { modernServer } from './fake-server.ts'

it('sends a fixed token, or one that is read anew, and gives up when it is refused', async () => {
  let count = 0
  const server = modernServer((_message, { headers }) =>
    /^Bearer (fixed|1)$/.test(headers['authorization'] ?? '')
      ? undefined
      : new Response(null, { status: 401 }),
  )
  const connect = (auth: ReturnType<typeof bearerToken>): Promise<Client> =>
    Client.connect(server, { name: 'test', version: '1', auth })
  expect((await connect(bearerToken('fixed'))).connected).toBe(true)
  const counting = bearerToken(async () => String((count += 1)))
  const client = await connect(counting)
  await expect(client.tools()).rejects.toThrow(UnauthorizedError)
  expect(count).toBe(2)
})
