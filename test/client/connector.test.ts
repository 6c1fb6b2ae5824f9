import { describe, expect, it } from 'vitest'
import { connectorOf } from '../../src/client/connector.ts'
import { systemClock } from '../../src/shared/clock.ts'

const options = { clock: systemClock }
const host = { receive: () => undefined, warn: () => undefined, closed: () => undefined }

describe('connectorOf', () => {
  it.each(['ftp://x', 'x', '', 'https://', 'file:///etc'])('refuses %j', (url) => {
    expect(() => connectorOf(url, options)).toThrow('not the URL of an HTTP server')
  })

  it('refuses credentials in a URL, and a bound that is none', () => {
    expect(() => connectorOf('https://a:b@x', options)).toThrow('credentials')
    expect(() => connectorOf('https://x', { ...options, maxMessageBytes: -1 })).toThrow(
      'maxMessageBytes',
    )
  })

  it('leaves a connector as it is', () => {
    const own = (): never => {
      throw new Error('not called')
    }
    expect(connectorOf(own, options)).toBe(own)
  })

  it('reaches an address without its fragment, through the fetch it is given', async () => {
    const urls: string[] = []
    const fetch = async (request: Request): Promise<Response> => {
      urls.push(request.url)
      return new Response(null, { status: 202 })
    }
    const transport = await connectorOf(new URL('http://x/mcp?a=1#b'), { ...options, fetch })(host)
    await transport.notify({ jsonrpc: '2.0', method: 'x' })
    expect(urls).toEqual(['http://x/mcp?a=1'])
  })
})
