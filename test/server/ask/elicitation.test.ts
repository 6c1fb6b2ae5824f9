import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import {
  formQuestion,
  isWebUrl,
  readAction,
  readFormAnswer,
  urlQuestion,
} from '../../../src/server/ask/elicitation.ts'

describe('a form', () => {
  it('EL-02 F124 is projected from a schema, or given as it is', () => {
    const fromSchema = formQuestion(
      'k',
      { message: 'Who?', schema: z.object({ n: z.int() }) },
      undefined,
    )
    expect(fromSchema.params['requestedSchema']).toMatchObject({
      properties: { n: { type: 'integer' } },
      required: ['n'],
    })
    const raw = { type: 'object', properties: { n: { type: 'number' } } } as const
    expect(formQuestion('k', { message: 'Who?', schema: raw }, undefined).params).toEqual({
      message: 'Who?',
      requestedSchema: raw,
    })
  })

  it('EL-02 that cannot be shown names its question', () => {
    const schema = z.object({ deep: z.object({}) })
    expect(() => formQuestion('k', { message: 'x', schema }, undefined)).toThrow(
      /question 'k': schema, property 'deep'/,
    )
  })

  it('EL-05 EL-06 is validated by the schema that asked', async () => {
    const schema = z.object({ n: z.number().transform(String), left: z.string().default('out') })
    const accept = (content: unknown) => readFormAnswer(schema, { action: 'accept', content })
    expect(await accept({ n: 1.5 })).toEqual({
      action: 'accept',
      content: { n: '1.5', left: 'out' },
    })
    await expect(accept({ n: 'x' })).rejects.toThrow(/invalid content: .*n/)
    await expect(accept(undefined)).rejects.toThrow('no content')
    const raw = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] } as const
    await expect(readFormAnswer(raw, { action: 'accept', content: {} })).rejects.toThrow('n')
  })

  it('EL-07 HL-22 that was not accepted has no content', async () => {
    const stale = { action: 'decline', content: { n: 'stale' } }
    expect(await readFormAnswer(z.object({ n: z.number() }), stale)).toEqual({ action: 'decline' })
    expect(() => readAction({ action: 'shrug' })).toThrow('must be accept, decline or cancel')
  })
})

describe('a page', () => {
  it.each(['javascript:alert(1)', 'file:///etc/passwd', 'example.com', ''])(
    'is not at %j',
    (url) => {
      expect(isWebUrl(url)).toBe(false)
      expect(() => urlQuestion('k', { message: 'Go', url })).toThrow(/question 'k': url/)
    },
  )

  it('F127 has the id that its author gives', () => {
    const page = { message: 'Go', url: 'https://a.example', elicitationId: 'e', timeoutMs: 5 }
    expect(urlQuestion('k', page)).toEqual({
      key: 'k',
      method: 'elicitation/create',
      params: { mode: 'url', message: 'Go', url: 'https://a.example', elicitationId: 'e' },
      timeoutMs: 5,
    })
  })
})
