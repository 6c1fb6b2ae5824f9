import { expect, test } from 'vitest'
import { Listeners } from '../../src/http/listeners.ts'
import { toSettings } from '../../src/http/options.ts'
import { toBusEvent } from '../../src/server/subscriptions.ts'

function listeners(limits: Readonly<Record<string, number | null>> = {}) {
  const errors: unknown[] = []
  const open = new Listeners(toSettings({ limits }), (error) => void errors.push(error))
  return { open, errors }
}

function stream(principal: string | undefined) {
  let completed = 0
  const complete = (): void => {
    completed += 1
  }
  return { principal, complete, completed: () => completed }
}

test('slots are counted in all and by principal, and freed once', () => {
  const { open } = listeners({ listenStreams: 3, listenPerPrincipal: 1 })
  const [ada, nobody, again] = [stream('ada'), stream(undefined), stream(undefined)]
  open.add(ada)
  expect([open.admits('ada'), open.admits('bob'), open.admits(undefined)]).toEqual([
    false,
    true,
    true,
  ])
  open.add(nobody)
  open.add(again)
  expect([open.size, open.admits(undefined)]).toEqual([3, false])
  open.delete(ada)
  open.delete(ada)
  expect([open.size, open.admits('ada')]).toEqual([2, true])
  open.complete()
  expect([ada.completed(), nobody.completed(), again.completed()]).toEqual([0, 1, 1])
})

test('a frame is cut once for all streams that ask for the same event', () => {
  const { open, errors } = listeners()
  const { data } = toBusEvent({ kind: 'tools' })
  const frame = open.frameOf(data)
  expect(open.frameOf(data)).toBe(frame)
  expect(`${frame?.head}7${frame?.tail}`).toBe(
    'event: message\ndata: {"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":7}}}\n\n',
  )
  expect([open.frameOf('nonsense'), open.frameOf('nonsense')]).toEqual([undefined, undefined])
  expect(errors).toHaveLength(1)
})
