import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { serve, type RunningServer } from 'mcp-edge/node'
import { almanac } from '../../examples/demo/server.ts'
import { type Peer, type PeerKind, peers } from './peers.ts'

let running: RunningServer

beforeAll(async () => {
  running = await serve(almanac(), { port: 0 })
})

afterAll(() => running.close())

describe.each(peers)('the demo under $name', (kind: PeerKind) => {
  let peer: Peer

  beforeAll(async () => {
    peer = await kind.connect(running.url)
  })

  // Clients with a session keep a stream open, to hear of changes, until they close.
  afterAll(async () => {
    await peer.close()
    await vi.waitFor(() => expect(running.handler.stats().streams).toBe(0), 5_000)
  })

  afterEach(() => {
    const { inFlight, streams } = running.handler.stats()
    expect(inFlight).toBe(0)
    expect(streams).toBeLessThanOrEqual(kind.era === 'legacy' ? 1 : 0)
  })

  test('it connects in the expected era and learns who answers', () => {
    expect(peer.era).toBe(kind.era)
    expect(peer.serverName).toBe('almanac')
  })

  test('it lists everything', async () => {
    expect((await peer.tools()).map(({ name }) => name)).toEqual([
      'sun_times',
      'moon_phase',
      'dark_nights',
      'moon_picture',
      'moon_dial',
      'note_observation',
      'clear_journal',
    ])
    expect((await peer.resources()).map(({ uri }) => uri)).toEqual([
      'ui://almanac/moon-dial.html',
      'journal://observations',
      'almanac://cities',
      'almanac://moon.png',
    ])
    expect(await peer.templates()).toMatchObject([{ uriTemplate: 'almanac://cities/{city}' }])
    expect(await peer.prompts()).toMatchObject([{ name: 'plan_stargazing' }])
  })

  test('it calls a tool with structured output', async () => {
    const answer = await peer.call('sun_times', { city: 'oslo', date: '2026-06-21' })
    expect(answer['structuredContent']).toEqual({
      city: 'Oslo',
      date: '2026-06-21',
      sunrise: '03:54',
      sunset: '22:44',
      daylightMinutes: 1_130,
    })
    const polar = await peer.call('sun_times', { city: 'Tromso', date: '2026-12-21' })
    expect(polar['structuredContent']).toMatchObject({ sunrise: null, daylightMinutes: 0 })
  })

  test('it sees progress before the result', async () => {
    const seen: number[] = []
    const args = { city: 'Lima', from: '2026-08-01', nights: 12 }
    const answer = await peer.call('dark_nights', args, (progress) => seen.push(progress))
    expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
    expect(answer['structuredContent']).toMatchObject({
      nights: [{ date: '2026-08-12' }, {}, {}, {}, {}],
    })
  })

  test('it gets an image', async () => {
    const answer = await peer.call('moon_picture', { date: '2026-08-28', size: 32 })
    expect(answer['content']).toMatchObject([
      { type: 'text', text: '2026-08-28: full moon, 100 % lit' },
      { type: 'image', mimeType: 'image/png', data: expect.stringMatching(/^iVBORw0KGgo/) },
    ])
  })

  test('it gets mistakes as errors', async () => {
    const unknown = await peer.call('sun_times', { city: 'Atlantis' })
    expect(unknown).toMatchObject({ isError: true })
    expect(JSON.stringify(unknown['content'])).toContain('It knows Auckland')
    const invalid = await peer.call('moon_picture', { size: 1 })
    expect(invalid).toMatchObject({ isError: true })
    await expect(peer.call('no_such_tool', {})).rejects.toMatchObject({ code: -32602 })
    await expect(peer.prompt('plan_stargazing', {})).rejects.toMatchObject({ code: -32602 })
    const missing = peer.read('almanac://cities/Atlantis')
    await expect(missing).rejects.toMatchObject({ code: kind.missing })
  })

  test('it reads text, bytes and a template', async () => {
    const [cities] = await peer.read('almanac://cities')
    expect(cities).toMatchObject({ mimeType: 'application/json', text: expect.any(String) })
    const [moon] = await peer.read('almanac://moon.png')
    expect(moon).toMatchObject({
      mimeType: 'image/png',
      blob: expect.stringMatching(/^iVBORw0KGgo/),
    })
    const [oslo] = await peer.read('almanac://cities/Oslo')
    expect(oslo).toMatchObject({ text: expect.stringContaining('"zone": "Europe/Oslo"') })
  })

  test('it completes and gets a prompt', async () => {
    expect(await peer.complete('almanac://cities/{city}', 'city', 'l')).toEqual(['Lima', 'Lisbon'])
    const messages = await peer.prompt('plan_stargazing', { city: 'Lima', wish: 'the Milky Way' })
    expect(messages).toMatchObject([
      { role: 'user', content: { type: 'text', text: expect.stringContaining('the Milky Way') } },
    ])
  })

  test('it writes into the journal and reads it back', async () => {
    const seen = `a meteor, says ${kind.name}`
    const answer = await peer.call('note_observation', { city: 'Zurich', seen })
    expect(answer).not.toMatchObject({ isError: true })
    const [journal] = await peer.read('journal://observations')
    expect(journal).toMatchObject({ text: expect.stringContaining(seen) })
  })
})
