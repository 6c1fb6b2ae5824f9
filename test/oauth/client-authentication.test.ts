import { describe, expect, test } from 'vitest'
import { authenticate, chooseMethod } from '../../src/oauth/client-authentication.ts'
import { ISSUER } from './world.ts'

const field = 'token_endpoint_auth_methods_supported'

function server(methods?: readonly string[]) {
  return { issuer: ISSUER, token_endpoint: `${ISSUER}/token`, [field]: methods }
}

const form = new URLSearchParams({ grant_type: 'x' })
const secret = { clientId: 'c', clientSecret: 's' }

describe('authenticate', () => {
  const post = { client_id: 'c', client_secret: 's' }
  test.each([
    { way: 'none', client: { clientId: 'c' }, methods: ['none'], added: { client_id: 'c' } },
    { way: 'post', client: secret, methods: ['client_secret_post'], added: post },
    {
      way: 'basic',
      client: secret,
      methods: ['client_secret_post', 'client_secret_basic'],
      added: {},
    },
    {
      way: 'none, for want of a better one',
      client: secret,
      methods: ['none'],
      added: { client_id: 'c' },
    },
    {
      way: 'what was registered',
      client: { ...secret, method: 'client_secret_post' },
      methods: ['client_secret_basic'],
      added: post,
    },
  ] as const)('by $way', async ({ way, client, methods, added }) => {
    const proven = await authenticate(form, client, server(methods))
    expect(Object.fromEntries(proven.form)).toEqual({ grant_type: 'x', ...added })
    const basic = { authorization: `Basic ${btoa('c:s')}` }
    expect(proven.headers).toEqual(way === 'basic' ? basic : {})
    expect([...form.keys()]).toEqual(['grant_type'])
  })

  test('both halves of basic are form-encoded, so that any text travels', async () => {
    const client = { clientId: 'a:b c', clientSecret: 'p%ü&=' }
    const { headers } = await authenticate(form, client, server(['client_secret_basic']))
    expect(atob(headers['authorization']?.slice(6) ?? '')).toBe('a%3Ab+c:p%25%C3%BC%26%3D')
  })

  test('an assertion is made for this server, and stands for the client id', async () => {
    const client = {
      clientId: 'c',
      assertion: async ({ issuer }: { issuer: string }) => `for ${issuer}`,
    }
    const { form: proven, headers } = await authenticate(form, client, server(['private_key_jwt']))
    expect(proven.get('client_assertion')).toBe(`for ${ISSUER}`)
    expect([proven.get('client_id'), headers]).toEqual([null, {}])
  })

  test('AU-10 silence means basic, but not for a client that has one way only', async () => {
    const { headers } = await authenticate(form, secret, server())
    expect(headers['authorization']).toMatch(/^Basic /)
    const open = await authenticate(form, { clientId: 'c' }, server())
    expect([open.form.get('client_id'), open.headers]).toEqual(['c', {}])
  })
})

describe('chooseMethod', () => {
  test('takes the first that the server has, in our order', () => {
    const ours = ['none', 'client_secret_post'] as const
    expect(chooseMethod(ours, server(['client_secret_post', 'none']))).toBe('none')
  })

  test.each([[[]], [['tls_client_auth']]])(
    'AU-10 %j has none of ours: named by field',
    (methods) => {
      expect(() => chooseMethod(['none', 'client_secret_post'], server(methods))).toThrow(
        expect.objectContaining({
          step: 'token',
          field,
          message: `${field} in ${ISSUER}/ has none of none, client_secret_post`,
        }),
      )
    },
  )
})
