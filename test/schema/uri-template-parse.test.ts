import { describe, expect, it } from 'vitest'
import { parseTemplate } from '../../src/schema/uri-template-parse.ts'

describe('parseTemplate', () => {
  it('splits literals and expressions', () => {
    expect(parseTemplate('x://{a}{/b*}!', 't')).toEqual([
      'x://',
      {
        operator: '',
        variables: [{ name: 'a', explode: false }],
        lead: '',
        spans: false,
        stops: '',
      },
      {
        operator: '/',
        variables: [{ name: 'b', explode: true }],
        lead: '/',
        spans: true,
        stops: '',
      },
      '!',
    ])
  })

  it('notes where a value that spans slashes has to stop', () => {
    const [, path] = parseTemplate('x://{+a}{?q}{#f}', 't')
    expect(path).toMatchObject({ operator: '+', stops: '?#' })
  })
})
