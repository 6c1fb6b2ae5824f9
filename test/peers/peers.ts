/**
 * The clients of other people, behind one small interface.
 *
 * @module
 */
import {
  Client as ClientV2,
  StreamableHTTPClientTransport as TransportV2,
} from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

/** What the tests need of a client. */
export interface Peer {
  readonly era: string | undefined
  readonly serverName: string | undefined
  readonly tools: () => Promise<readonly { readonly name: string }[]>
  readonly call: (
    name: string,
    args: Record<string, unknown>,
    onProgress?: (progress: number) => void,
  ) => Promise<ToolAnswer>
  readonly resources: () => Promise<readonly { readonly uri: string }[]>
  readonly templates: () => Promise<readonly { readonly uriTemplate: string }[]>
  readonly read: (uri: string) => Promise<readonly Record<string, unknown>[]>
  readonly prompts: () => Promise<readonly { readonly name: string }[]>
  readonly prompt: (name: string, args: Record<string, string>) => Promise<unknown>
  readonly complete: (uri: string, name: string, value: string) => Promise<readonly string[]>
  readonly close: () => Promise<void>
}

/** A tool's result as the clients return it. */
export type ToolAnswer = Readonly<Record<string, unknown>>

/** A client under its name, ready to connect. */
export interface PeerKind {
  readonly name: string
  readonly era: 'legacy' | 'modern'
  /** The code of a missing resource, as the client shows it: the second SDK reports both eras' codes as one. */
  readonly missing: -32002 | -32602
  readonly connect: (url: string) => Promise<Peer>
}

/** Every client the demo has to please. */
export const peers: readonly PeerKind[] = [
  { name: '@modelcontextprotocol/sdk', era: 'legacy', missing: -32002, connect: connectV1 },
  {
    name: '@modelcontextprotocol/client, legacy',
    era: 'legacy',
    missing: -32602,
    connect: connectV2('legacy'),
  },
  {
    name: '@modelcontextprotocol/client, auto',
    era: 'modern',
    missing: -32602,
    connect: connectV2('auto'),
  },
  {
    name: '@modelcontextprotocol/client, pinned',
    era: 'modern',
    missing: -32602,
    connect: connectV2({ pin: '2026-07-28' }),
  },
]

const info = { name: 'peer', version: '1.0.0' }

async function connectV1(url: string): Promise<Peer> {
  const client = new ClientV1(info)
  await client.connect(new TransportV1(new URL(url)))
  return {
    era: 'legacy',
    serverName: client.getServerVersion()?.name,
    call: (name, args, onProgress) =>
      client.callTool({ name, arguments: args }, undefined, progressOption(onProgress)),
    ...common(client),
  }
}

function connectV2(mode: 'legacy' | 'auto' | { pin: string }): PeerKind['connect'] {
  return async (url) => {
    const client = new ClientV2(info, { versionNegotiation: { mode } })
    await client.connect(new TransportV2(new URL(url)))
    return {
      era: client.getProtocolEra(),
      serverName: client.getServerVersion()?.name,
      call: (name, args, onProgress) =>
        client.callTool({ name, arguments: args }, progressOption(onProgress)),
      ...common(client),
    }
  }
}

function common(client: ClientV1 | ClientV2): Omit<Peer, 'era' | 'serverName' | 'call'> {
  return {
    tools: async () => (await client.listTools()).tools,
    resources: async () => (await client.listResources()).resources,
    templates: async () => (await client.listResourceTemplates()).resourceTemplates,
    read: async (uri) => (await client.readResource({ uri })).contents,
    prompts: async () => (await client.listPrompts()).prompts,
    prompt: async (name, args) => (await client.getPrompt({ name, arguments: args })).messages,
    complete: async (uri, name, value) => {
      const ref = { type: 'ref/resource' as const, uri }
      return (await client.complete({ ref, argument: { name, value } })).completion.values
    },
    close: () => client.close(),
  }
}

function progressOption(onProgress: ((progress: number) => void) | undefined): {
  onprogress?: (report: { progress: number }) => void
} {
  return onProgress === undefined ? {} : { onprogress: ({ progress }) => onProgress(progress) }
}
