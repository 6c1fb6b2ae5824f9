import { describe, expect, it } from 'vitest'
import { McpServer } from '../../src/server/index.ts'
import { Changes } from '../../src/stdio/changes.ts'
import { LegacyPeer } from '../../src/stdio/legacy-peer.ts'

function begin() {
  const server = new McpServer({ name: 's', version: '1' })
  server.resource('test:a', { name: 'a' }, () => 'a')
  const written: Readonly<Record<string, unknown>>[] = []
  const write = async (text: string): Promise<void> => void written.push(JSON.parse(text))
  const changes = new Changes(server, write, { changes: true, logging: true })
  return { changes, methods: () => written.map(({ method, id }) => method ?? id) }
}

const caller = { era: 'modern', revision: '2026-07-28', capabilities: {} } as const

describe('Changes', () => {
  it('SB-04 SB-16 reach the listeners that asked, and only by granted kinds', async () => {
    const { changes, methods } = begin()
    changes.listen(
      1,
      { notifications: { resourceSubscriptions: ['test:a'], toolsListChanged: true } },
      caller,
    )
    await changes.publish({ kind: 'tools' })
    await changes.publish({ kind: 'resource', uri: 'test:b' })
    await changes.publish({ kind: 'resource', uri: 'test:a' })
    await changes.publish({ kind: 'log', level: 'error', text: '{}' })
    expect(methods()).toEqual([
      'notifications/subscriptions/acknowledged',
      'notifications/resources/updated',
    ])
    expect([changes.has(1), changes.cancel(1), changes.cancel(1)]).toEqual([true, true, false])
  })

  it('SB-12 SB-20 a filter that is none is refused', () => {
    const { changes } = begin()
    expect(() => changes.listen(1, {}, caller)).toThrow('notifications')
    expect(() => changes.listen(1, { notifications: { taskIds: [] } }, caller)).toThrow(
      'extensions',
    )
  })

  it('LC-20 pages that are done with are told to revisions that know of them', async () => {
    const told = async (revision: '2025-06-18' | '2025-11-25'): Promise<unknown[]> => {
      const { changes, methods } = begin()
      const clientInfo = { name: 'c', version: '1' }
      changes.greet(new LegacyPeer({ revision, capabilities: {}, clientInfo }))
      await changes.publish({ kind: 'elicitation', elicitationId: 'e' })
      await changes.publish({ kind: 'prompts' })
      return methods()
    }
    expect(await told('2025-06-18')).toEqual([])
    expect(await told('2025-11-25')).toEqual(['notifications/elicitation/complete'])
  })
})
