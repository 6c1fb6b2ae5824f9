import { describe, expect, test } from 'vitest'
import {
  acknowledgement,
  completion,
  honoured,
  readFilter,
  splitForTag,
  tagged,
  toBusEvent,
  topicsOf,
} from '../../src/server/subscriptions.ts'
import { assertWire, MODERN } from '../support/index.ts'

const TAG = 'io.modelcontextprotocol/subscriptionId'

function parse(text: string | undefined): unknown {
  return text === undefined ? undefined : JSON.parse(text)
}

describe('a change', () => {
  test.each([
    [{ kind: 'tools' }, 'tools', 'notifications/tools/list_changed', undefined],
    [{ kind: 'prompts' }, 'prompts', 'notifications/prompts/list_changed', undefined],
    [{ kind: 'resources' }, 'resources', 'notifications/resources/list_changed', undefined],
    [
      { kind: 'resource', uri: 'a://"1"' },
      'resource/a://"1"',
      'notifications/resources/updated',
      { uri: 'a://"1"' },
    ],
    [
      { kind: 'elicitation', elicitationId: 'e' },
      'elicitations',
      'notifications/elicitation/complete',
      { elicitationId: 'e' },
    ],
  ] as const)('%j becomes one event', (change, topic, ...[method, params]) => {
    const event = toBusEvent(change)
    expect(event.topic).toBe(topic)
    expect(parse(String(event.data))).toEqual({
      jsonrpc: '2.0',
      method,
      ...(params === undefined ? {} : { params }),
    })
  })
})

describe('the tag', () => {
  test.each(['a', '', '0', 0, 5, -1, '"}]'])('SB-02 keeps the id %j and its type', (id) => {
    const { data } = toBusEvent({ kind: 'resource', uri: 'a://1' })
    const message = parse(tagged(data, id))
    assertWire(MODERN, 'ResourceUpdatedNotification', message)
    expect(message).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/resources/updated',
      params: { _meta: { [TAG]: id }, uri: 'a://1' },
    })
  })

  test('SB-05 is merged into what the notification says of itself, and replaces a foreign tag', () => {
    const data = JSON.stringify({
      jsonrpc: '2.0',
      method: 'notifications/tools/list_changed',
      params: {
        a: 1,
        _meta: { [TAG]: 'foreign', 'com.example/trace': 't', __proto__: null },
        b: [2],
      },
    })
    expect(parse(tagged(data, 7))).toEqual({
      jsonrpc: '2.0',
      method: 'notifications/tools/list_changed',
      params: { _meta: { [TAG]: 7, 'com.example/trace': 't' }, a: 1, b: [2] },
    })
  })

  test('a notification without parameters gets some', () => {
    const { data } = toBusEvent({ kind: 'tools' })
    const message = parse(tagged(data, 'x'))
    assertWire(MODERN, 'ToolListChangedNotification', message)
    expect(message).toMatchObject({ params: { _meta: { [TAG]: 'x' } } })
  })

  test.each([undefined, null, 1, {}, 'not JSON', '[]', '{"jsonrpc":"2.0"}', '{"method":1}'])(
    'what is no notification as text is left alone: %j',
    (data) => {
      expect(splitForTag(data)).toBeUndefined()
      expect(tagged(data, 1)).toBeUndefined()
    },
  )
})

describe('a filter', () => {
  const read = (notifications: unknown, capabilities = {}) =>
    readFilter({ notifications }, capabilities, 3)

  test('is read, a URI that stands in it twice once', () => {
    expect(
      read({ toolsListChanged: true, resourceSubscriptions: ['a://1', 'b://2', 'a://1'] }),
    ).toEqual({
      toolsListChanged: true,
      promptsListChanged: false,
      resourcesListChanged: false,
      resourceSubscriptions: ['a://1', 'b://2'],
    })
    expect(read({ somethingNew: 1, ['__proto__']: { toolsListChanged: true } })).toMatchObject({
      toolsListChanged: false,
      resourceSubscriptions: [],
    })
  })

  test.each([
    [undefined, "'notifications' must be an object"],
    [null, "'notifications' must be an object"],
    [[], "'notifications' must be an object"],
    [{ toolsListChanged: 1 }, "'notifications.toolsListChanged' must be a boolean"],
    [{ promptsListChanged: 'yes' }, "'notifications.promptsListChanged' must be a boolean"],
    [{ resourceSubscriptions: 'a://1' }, 'must be an array of URIs'],
    [{ resourceSubscriptions: [1] }, 'must be an array of URIs'],
    [{ resourceSubscriptions: ['x'.repeat(8_193)] }, 'of at most 8192 characters'],
    [{ resourceSubscriptions: ['1:', '2:', '3:', '4:'] }, 'may name at most 3 URIs'],
  ])('SB-12 is refused when it is %j', (notifications, problem) => {
    expect(() => read(notifications)).toThrow(problem)
    expect(() => read(notifications)).toThrow(expect.objectContaining({ code: -32602 }))
  })

  test('SB-20 may name tasks only where the client declares them', () => {
    const id = 'io.modelcontextprotocol/tasks'
    expect(() => read({ taskIds: ['t'] })).toThrow(expect.objectContaining({ code: -32021 }))
    expect(read({ taskIds: ['t'] }, { extensions: { [id]: {} } })).not.toHaveProperty('taskIds')
  })

  const wanted = {
    toolsListChanged: true,
    promptsListChanged: false,
    resourcesListChanged: true,
    resourceSubscriptions: ['a://1'],
  }

  test('SB-03 is granted as far as flags are declared', () => {
    const all = { listChanged: true, subscribe: true }
    expect(honoured(wanted, { tools: all, prompts: all, resources: all })).toEqual({
      toolsListChanged: true,
      resourcesListChanged: true,
      resourceSubscriptions: ['a://1'],
    })
    expect(honoured(wanted, { tools: {}, resources: { subscribe: true } })).toEqual({
      resourceSubscriptions: ['a://1'],
    })
    expect(honoured({ ...wanted, resourceSubscriptions: [] }, { resources: all })).toEqual({
      resourcesListChanged: true,
    })
    expect(honoured(wanted, {})).toEqual({})
  })

  test('names its topics', () => {
    expect(topicsOf(wanted)).toEqual(['resource/a://1', 'tools', 'resources'])
    expect(topicsOf({ promptsListChanged: true })).toEqual(['prompts'])
    expect(topicsOf({})).toEqual([])
  })
})

test('first and last messages are those of the official schema', () => {
  const first = parse(acknowledgement('x', { toolsListChanged: true }))
  assertWire(MODERN, 'SubscriptionsAcknowledgedNotification', first)
  const last = parse(completion(0, { name: 's', version: '1' }))
  expect(last).toMatchObject({ id: 0, result: { resultType: 'complete', _meta: { [TAG]: 0 } } })
  assertWire(MODERN, 'JSONRPCResultResponse', last)
})
