import { expect, test } from 'vitest'
import { Watched } from '../../src/http/watched.ts'
import { settle } from '../support/index.ts'
import { everything, quiet, served } from './served.ts'
import { listen } from './listening.ts'

test('hooks hear who came first and who left last, however they left', async () => {
  const heard: string[] = []
  const { handler } = served(everything(), {
    onSubscribe: (uri, first) => void heard.push(`+ ${uri} ${first}`),
    onUnsubscribe: (uri, last) => void heard.push(`- ${uri} ${last}`),
  })
  const one = await listen(handler, { resourceSubscriptions: ['a://1', 'a://1'] })
  const two = await listen(handler, { resourceSubscriptions: ['a://1', 'a://2'] })
  await one.leave()
  await handler.close()
  await two.ended
  expect(heard).toEqual([
    '+ a://1 true',
    '+ a://1 false',
    '+ a://2 true',
    '- a://1 false',
    '- a://1 true',
    '- a://2 true',
  ])
})

test('only what is granted is watched', async () => {
  const heard: string[] = []
  const { server } = quiet()
  server.tool('t', {}, () => 'x')
  const { handler } = served(server, { onSubscribe: (uri) => void heard.push(uri) })
  const { leave } = await listen(handler, {
    toolsListChanged: true,
    resourceSubscriptions: ['a://1'],
  })
  expect(heard).toEqual([])
  await leave()
})

test('a hook that throws or rejects is reported, and the other hears all the same', async () => {
  const errors: unknown[] = []
  const watched = new Watched({
    onSubscribe: () => Promise.reject(new Error('first')),
    onUnsubscribe: () => {
      throw new Error('second')
    },
    onError: (error) => void errors.push(error),
  })
  watched.add(['a://1'])
  watched.remove(['a://1'])
  await settle()
  expect(errors.map(String).toSorted()).toEqual(['Error: first', 'Error: second'])
})

test('without hooks nothing is counted', () => {
  const watched = new Watched({
    onSubscribe: undefined,
    onUnsubscribe: undefined,
    onError: undefined,
  })
  watched.add(['a://1'])
  expect(() => watched.remove(['a://1'])).not.toThrow()
})
