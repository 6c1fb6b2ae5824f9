import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { discoveredUrl, isLoopback, isPrivate } from '../../src/oauth/destinations.ts'

const origin = { step: 'server-metadata', field: 'token_endpoint' } as const
const publicServer = new URL('https://mcp.example.com/mcp')

describe('AU-23 private destinations', () => {
  test.each([
    'https://0.0.0.0',
    'https://10.1.2.3',
    'https://100.64.0.1',
    'https://127.0.0.1',
    'https://0x7f.1',
    'https://0177.0.0.1',
    'https://2130706433',
    'https://127.1',
    'https://169.254.169.254',
    'https://172.16.0.1',
    'https://172.31.255.255',
    'https://192.168.0.1',
    'https://198.18.0.1',
    'https://224.0.0.1',
    'https://255.255.255.255',
    'https://localhost',
    'https://localhost.',
    'https://LOCALHOST',
    'https://a.localhost',
    'https://[::]',
    'https://[::1]',
    'https://[::127.0.0.1]',
    'https://[::ffff:8.8.8.8]',
    'https://[::ffff:7f00:1]',
    'https://[64:ff9b::a00:1]',
    'https://[fc00::1]',
    'https://[fd12:3456::1]',
    'https://[fe80::1]',
    'https://[fec0::1]',
    'https://[ff02::1]',
    'https://[2002:7f00:1::1]',
    'https://[2001::7f00:1]',
    'https://[2001:0:1::1]',
    'https://[4000::1]',
  ])('%s is refused', (value) => {
    expect(isPrivate(new URL(value))).toBe(true)
    expect(() => discoveredUrl(value, origin, publicServer)).toThrow(/token_endpoint/)
  })

  test.each([
    'https://8.8.8.8',
    'https://100.128.0.1',
    'https://172.32.0.1',
    'https://[2606:4700::1111]',
    'https://[2001:4860:4860::8888]',
    'https://[3fff::1]',
    'https://as.example.com',
    'https://localhost.example.com',
    'https://127.0.0.1.example.com',
  ])('%s is not', (value) => {
    expect(discoveredUrl(value, origin, publicServer).href).toBe(new URL(value).href)
  })

  test('are fine for a server that is there itself', () => {
    const server = new URL('http://127.0.0.1:3000/mcp')
    expect(discoveredUrl('http://localhost:9000/token', origin, server).port).toBe('9000')
    expect(() => discoveredUrl('http://10.0.0.1/token', origin, server)).toThrow(/https/)
  })

  test('every spelling of a private IPv4 address is seen', () => {
    const blocks = fc.constantFrom([10, 0], [127, 0], [169, 254], [192, 168], [172, 20])
    const part = fc.integer({ min: 0, max: 255 })
    const spell = fc.constantFrom(
      (n: number) => String(n),
      (n: number) => `0x${n.toString(16)}`,
      (n: number) => `0${n.toString(8)}`,
    )
    fc.assert(
      fc.property(blocks, fc.tuple(part, part), spell, ([a = 0, b = 0], [c, d], write) => {
        const dotted = [a, b, c, d].map(write).join('.')
        const whole = write(((a * 256 + b) * 256 + c) * 256 + d)
        for (const host of [dotted, whole, `[::ffff:${[a, b, c, d].join('.')}]`]) {
          expect(isPrivate(new URL(`https://${host}`))).toBe(true)
        }
      }),
    )
  })
})

describe('AU-27 secure URLs', () => {
  test.each(['http://localhost', 'http://127.9.9.9', 'http://[::1]', 'http://x.localhost'])(
    '%s is loopback',
    (value) => {
      expect(isLoopback(new URL(value))).toBe(true)
    },
  )

  test.each([
    'http://as.example.com/',
    'ftp://as.example.com/',
    'javascript:alert(1)',
    'data:text/html,x',
    'https://u:p@as.example.com/',
    'https://as.example.com/#x',
    '/relative',
    '',
  ])('%j is refused', (value) => {
    expect(() => discoveredUrl(value, origin, publicServer)).toThrow(/token_endpoint/)
  })
})
