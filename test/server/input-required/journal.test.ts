import { expect, it } from 'vitest'
import { readJournal, writeJournal } from '../../../src/server/input-required/journal.ts'

it('reads what it wrote, prototype names and empty effects included', () => {
  const journal = {
    callId: 'c',
    rounds: 3,
    asked: new Map([['k', 'mark']]),
    answers: new Map([['__proto__', { question: 'q', result: { action: 'accept' } }]]),
    effects: new Map<string, unknown>([
      ['constructor', { a: [1, null] }],
      ['nothing', undefined],
      ['null', null],
    ]),
    state: { deep: ['x'] },
  }
  expect(readJournal(writeJournal(journal))).toEqual(journal)
})

it.each(['null', '[]', '{}', '{"callId":"c","rounds":1,"asked":[],"answers":[1],"effects":[]}'])(
  'reads %s as nothing',
  (text) => {
    expect(readJournal(text)).toBeUndefined()
  },
)
