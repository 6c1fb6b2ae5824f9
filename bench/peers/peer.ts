/**
 * Finds a peer by name, loading nothing of the others.
 *
 * @module
 */
import type { Peer, PeerName } from '../harness/types.ts'

/** Loads one peer. */
export async function loadPeer(name: PeerName): Promise<Peer> {
  if (name === 'mcp-lite') return (await import('./mcp-lite.ts')).mcpLite
  if (name === 'official') return (await import('./official.ts')).official
  if (name === 'ours') return (await import('./ours.ts')).ours
  const floors = await import('./raw.ts')
  return name === 'raw' ? floors.raw : floors.rawZod
}
