import { describe, expect, test } from 'vitest'
import { covers, discover, type DiscoveryOptions } from '../../src/oauth/discovery.ts'
import {
  createWorld,
  ISSUER,
  json,
  resourceMetadata,
  SERVER,
  serverMetadata,
  type Reply,
  type World,
  failure,
} from './world.ts'

const ORIGIN = 'https://mcp.example.com'
const WELL_KNOWN = `${ORIGIN}/.well-known/oauth-protected-resource`

function find(world: World, options: Partial<DiscoveryOptions> = {}) {
  const all = { fetch: world.fetch, serverUrl: new URL(SERVER) }
  return discover({ ...all, ...options })
}

function bare(): World {
  const world = createWorld()
  world.routes.clear()
  return world
}

describe('protected-resource metadata', () => {
  test('AU-02 OC-07 the URL of the challenge is used, and no other', async () => {
    const world = createWorld()
    const metadataUrl = `${ORIGIN}/x/prm.json`
    world.routes.set(metadataUrl, json(resourceMetadata(ISSUER)))
    await find(world, { metadataUrl })
    expect(world.calls.map(({ url }) => url)).toEqual([
      metadataUrl,
      `${ISSUER}/.well-known/oauth-authorization-server`,
    ])
  })

  test('AU-02 OC-07 without one: the path, then the root', async () => {
    const world = createWorld()
    world.routes.delete(`${WELL_KNOWN}/api/mcp`)
    world.routes.set(WELL_KNOWN, json(resourceMetadata(ISSUER, { resource: ORIGIN })))
    const { resource } = await find(world)
    expect(resource).toBe(ORIGIN)
    expect(world.calls[0]?.url).toBe(`${WELL_KNOWN}/api/mcp`)
  })

  test.each([
    'https://evil.example.com/prm.json',
    'http://mcp.example.com/prm.json',
    'https://mcp.example.com:8443/prm.json',
    'https://169.254.169.254/latest',
    'not a url',
  ])('a challenge that points to %s is refused, and nothing is fetched', async (metadataUrl) => {
    const world = createWorld()
    const error = await failure(find(world, { metadataUrl }))
    expect(error).toMatchObject({ step: 'resource-metadata', field: 'resource_metadata' })
    expect(world.calls).toEqual([])
  })

  test.each([
    'https://h',
    'https://h/',
    'https://h/api',
    'https://h/api/',
    'https://H/api/mcp',
    'https://h/api/mcp/',
    'https://h:443/api/mcp',
  ])('OC-05 AU-07 %s covers the server', (resource) => {
    expect(covers(resource, new URL('https://h/api/mcp'))).toBe(true)
  })

  test.each([
    'https://h/ap',
    'https://h/api/mcp2',
    'https://h/api/mcp/more',
    'https://other/api/mcp',
    'http://h/api/mcp',
    'https://h:444/api/mcp',
    'https://h/api/mcp#x',
    'https://h/api/mcp?x',
    'h',
  ])('OC-05 AU-07 %s does not', (resource) => {
    expect(covers(resource, new URL('https://h/api/mcp'))).toBe(false)
  })

  test('OC-05 AU-07 a resource that does not cover the server ends it, with both URLs', async () => {
    const world = createWorld()
    const resource = 'https://evil.example.com/mcp'
    world.routes.set(`${WELL_KNOWN}/api/mcp`, json(resourceMetadata(ISSUER, { resource })))
    const error = await failure(find(world))
    expect(error.message).toContain(resource)
    expect(error.message).toContain(SERVER)
    expect(error).toMatchObject({ field: 'resource', url: `${WELL_KNOWN}/api/mcp` })
    expect(world.calls.length).toBe(1)
  })

  test.each([
    ['an error', json({}, 500)],
    ['no issuers', json({ resource: SERVER })],
    ['an empty list', json({ resource: SERVER, authorization_servers: [] })],
    ['no resource', json({ authorization_servers: [ISSUER] })],
    ['a redirect', () => new Response(null, { status: 302, headers: { location: ISSUER } })],
    ['too much', () => new Response(' '.repeat(300_000))],
  ] satisfies [string, Reply][])(
    'OC-02 %s is named, and nobody else is asked',
    async (_, reply) => {
      const world = createWorld()
      world.routes.set(`${WELL_KNOWN}/api/mcp`, reply)
      const error = await failure(find(world))
      expect(error.message).toContain(`${WELL_KNOWN}/api/mcp`)
      expect(error.message).toContain(`${WELL_KNOWN} answered 404`)
      expect(world.calls.every(({ url }) => url.startsWith(WELL_KNOWN))).toBe(true)
    },
  )

  test('the issuer that is preferred is taken out of several', async () => {
    const world = createWorld()
    const more = { authorization_servers: ['https://other.example.com', ISSUER] }
    world.routes.set(`${WELL_KNOWN}/api/mcp`, json(resourceMetadata(ISSUER, more)))
    const { server } = await find(world, { preferred: ISSUER })
    expect(server.issuer).toBe(ISSUER)
  })
})

describe('authorization-server metadata', () => {
  const tenant = `${ISSUER}/tenant1`
  const places = [
    `${ISSUER}/.well-known/oauth-authorization-server/tenant1`,
    `${ISSUER}/.well-known/openid-configuration/tenant1`,
    `${ISSUER}/tenant1/.well-known/openid-configuration`,
  ]

  function tenantWorld(issuer = tenant): World {
    const world = bare()
    world.routes.set(`${WELL_KNOWN}/api/mcp`, json(resourceMetadata(issuer)))
    return world
  }

  test.each([0, 1, 2])(
    'AU-03 OC-01 found at place %d, after the places before it',
    async (place) => {
      for (const issuer of [tenant, `${tenant}/`]) {
        const world = tenantWorld(issuer)
        world.routes.set(places[place] ?? '', json(serverMetadata(issuer)))
        expect((await find(world)).server.issuer).toBe(issuer)
        const asked = world.calls.slice(1).map(({ url }) => url)
        expect(asked).toEqual(places.slice(0, place + 1))
      }
    },
  )

  test('AU-03 OC-01 an issuer without a path has two places', async () => {
    const world = tenantWorld(ISSUER)
    const error = await failure(find(world))
    expect(error.message).toContain(`${ISSUER}/.well-known/oauth-authorization-server answered 404`)
    expect(error.message).toContain(`${ISSUER}/.well-known/openid-configuration answered 404`)
    expect(world.calls.length).toBe(3)
  })

  test.each([
    ['a network error', () => Promise.reject(new TypeError('fetch failed'))],
    ['500', json({}, 500)],
    ['a page', () => new Response('<html>', { headers: { 'content-type': 'text/html' } })],
    ['another document', json({ foo: 1 })],
    ['a list', json([1])],
    ['another issuer', json(serverMetadata('https://evil.example.com'))],
  ] satisfies [string, Reply][])(
    'OC-02 %s at the first place does not end it',
    async (_, reply) => {
      const world = tenantWorld()
      world.routes.set(places[0] ?? '', reply)
      world.routes.set(places[2] ?? '', json(serverMetadata(tenant)))
      expect((await find(world)).server.token_endpoint).toBe(`${tenant}/token`)
    },
  )

  test.each([
    `${tenant}/`,
    `${tenant}x`,
    'https://as.example.com:443/tenant1',
    'https://AS.example.com/tenant1',
  ])('AU-04 a document whose issuer is %s is unusable', async (issuer) => {
    const world = tenantWorld()
    for (const place of places) world.routes.set(place, json(serverMetadata(tenant, { issuer })))
    const error = await failure(find(world))
    expect(error.message).toContain(issuer)
    expect(error.step).toBe('server-metadata')
  })

  test.each([
    ['token_endpoint', 'http://as.example.com/token'],
    ['token_endpoint', 'https://10.0.0.1/token'],
    ['authorization_endpoint', 'javascript:alert(1)'],
    ['authorization_endpoint', 'https://user:pw@as.example.com/authorize'],
    ['registration_endpoint', 'http://169.254.169.254/x'],
    ['registration_endpoint', 'https://[::ffff:10.0.0.1]/x'],
  ])('AU-27 OC-13 a %s of %s is refused by name', async (field, url) => {
    const world = tenantWorld()
    world.routes.set(places[0] ?? '', json(serverMetadata(tenant, { [field]: url })))
    const error = await failure(find(world))
    expect(error).toMatchObject({ field, url: places[0] })
    expect(error.message).not.toContain('pw')
  })

  test.each(['http://as.example.com', 'https://192.168.1.1', 'https://localhost', 'nonsense'])(
    'AU-23 an issuer at %s is refused, and not asked',
    async (issuer) => {
      const world = tenantWorld(issuer)
      const error = await failure(find(world))
      expect(error.field).toBe('authorization_servers')
      expect(world.calls.length).toBe(1)
    },
  )
})

describe('AU-20 a server of 2025-03-26', () => {
  test('OC-07 is its own authorization server', async () => {
    const world = bare()
    world.routes.set(
      `${ORIGIN}/.well-known/oauth-authorization-server`,
      json(serverMetadata(ORIGIN)),
    )
    const { server, resource } = await find(world)
    expect(server.token_endpoint).toBe(`${ORIGIN}/token`)
    expect(resource).toBe(SERVER)
    expect(world.calls.at(-1)?.headers.get('mcp-protocol-version')).toBe('2025-03-26')
  })

  test('has default endpoints when it has no metadata either', async () => {
    const { server } = await find(bare())
    expect(server).toMatchObject({
      issuer: ORIGIN,
      authorization_endpoint: `${ORIGIN}/authorize`,
      token_endpoint: `${ORIGIN}/token`,
      registration_endpoint: `${ORIGIN}/register`,
    })
  })

  test('is not assumed while the metadata may only be out of order', async () => {
    const world = bare()
    world.routes.set(`${WELL_KNOWN}/api/mcp`, json({}, 503))
    await failure(find(world))
    expect(world.calls.every(({ url }) => url.startsWith(WELL_KNOWN))).toBe(true)
  })

  test('is not assumed when the challenge said where the metadata is', async () => {
    const world = bare()
    const error = await failure(find(world, { metadataUrl: `${ORIGIN}/prm` }))
    expect(error.url).toBe(`${ORIGIN}/prm`)
    expect(world.calls.length).toBe(1)
  })
})
