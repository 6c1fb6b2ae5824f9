import { describe, expect, it } from 'vitest'
import { audio, embedded, image, resourceLink, text } from '../../src/server/content.ts'

const options = { annotations: { priority: 1 }, meta: { 'acme/x': 1 } }
const shared = { annotations: { priority: 1 }, _meta: { 'acme/x': 1 } }

describe('content builders', () => {
  it('F83 builds each block', () => {
    expect(text('a')).toEqual({ type: 'text', text: 'a' })
    expect(text('a', options)).toEqual({ type: 'text', text: 'a', ...shared })
    expect(image(new Uint8Array([1, 2]), 'image/png')).toEqual({
      type: 'image',
      data: 'AQI=',
      mimeType: 'image/png',
    })
    expect(audio('AQI=', 'audio/wav', options)).toEqual({
      type: 'audio',
      data: 'AQI=',
      mimeType: 'audio/wav',
      ...shared,
    })
    expect(resourceLink({ uri: 'x://a', name: 'a', size: 0 }, options)).toEqual({
      type: 'resource_link',
      uri: 'x://a',
      name: 'a',
      size: 0,
      ...shared,
    })
  })

  it('F83 embeds text and bytes', () => {
    expect(embedded({ uri: 'x://a', data: '' })).toEqual({
      type: 'resource',
      resource: { uri: 'x://a', text: '' },
    })
    const bytes = { uri: 'x://a', mimeType: 'a/b', meta: { b: 1 }, data: new Uint8Array([255]) }
    expect(embedded(bytes, options)).toEqual({
      type: 'resource',
      resource: { uri: 'x://a', mimeType: 'a/b', _meta: { b: 1 }, blob: '/w==' },
      ...shared,
    })
  })

  it('TL-13 encodes 5 MB', () => {
    const bytes = new Uint8Array(5_000_000).fill(7)
    const { data } = image(bytes, 'image/png')
    expect(data).toHaveLength(Math.ceil(5_000_000 / 3) * 4)
    expect(data.startsWith('BwcHBwcH')).toBe(true)
  })
})
