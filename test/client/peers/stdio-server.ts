/**
 * One of the other servers on the pipes of this process: `stdio-server.ts v1|v2|tmcp|lite`.
 *
 * @module
 */
import { createInterface } from 'node:readline'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { handlers, officialV1, officialV2, tmcp, tmcpAnswer } from './servers.ts'

/** A library without stdio of its own, line by line. */
function serveLines(answer: (line: string) => Promise<unknown>): void {
  createInterface({ input: process.stdin }).on('line', (line) => {
    void (async () => {
      const text = await answer(line)
      if (text !== undefined && text !== null) process.stdout.write(`${JSON.stringify(text)}\n`)
    })()
  })
}

switch (process.argv[2] ?? 'lite') {
  case 'v1':
    await officialV1().connect(new StdioServerTransport())
    break
  case 'v2':
    serveStdio(officialV2)
    break
  case 'tmcp': {
    const server = tmcp()
    serveLines((line) => tmcpAnswer(server, JSON.parse(line)))
    break
  }
  default: {
    const handle = handlers['mcp-lite 0.10.0']?.()
    let session = ''
    serveLines(async (body) => {
      const headers = {
        'content-type': 'application/json',
        accept: 'application/json',
        ...(session === '' ? {} : { 'mcp-session-id': session }),
      }
      const response = await handle?.(
        new Request('http://localhost/mcp', { method: 'POST', body, headers }),
      )
      session = response?.headers.get('mcp-session-id') ?? session
      const text = (await response?.text()) ?? ''
      return text === '' ? undefined : JSON.parse(text)
    })
  }
}
