import { describe, expect, it } from 'vitest'
import {
  changeOf,
  everythingIn,
  grantable,
  matches,
  readFilter,
} from '../../src/client/listen-filter.ts'

describe('filters of subscriptions', () => {
  it('SB-03 reads what is granted; what is ill-typed is not', () => {
    expect(
      readFilter({
        toolsListChanged: true,
        promptsListChanged: false,
        resourcesListChanged: 'yes',
        resourceSubscriptions: ['a:1', 7],
        taskIds: ['t'],
      }),
    ).toEqual({
      toolsListChanged: true,
      resourceSubscriptions: ['a:1'],
      taskIds: ['t'],
    })
    for (const odd of [undefined, null, [], 'x']) expect(readFilter(odd)).toEqual({})
  })

  it('grants of a legacy server what it declares', () => {
    const filter = {
      toolsListChanged: true,
      promptsListChanged: true,
      resourceSubscriptions: ['a:1'],
    }
    expect(grantable(filter, { tools: { listChanged: true }, prompts: {} })).toEqual({
      toolsListChanged: true,
    })
    expect(grantable(filter, { resources: { subscribe: true } })).toEqual({
      resourceSubscriptions: ['a:1'],
    })
  })

  it('SB-16 a resource below a subscribed one counts, one beside it does not', () => {
    const filter = { resourceSubscriptions: ['file:///a', 'file:///b/'] }
    const update = (uri: string) => ({ kind: 'resourceUpdated', uri }) as const
    expect(
      ['file:///a', 'file:///a/x', 'file:///b/x'].every((uri) => matches(update(uri), filter)),
    ).toBe(true)
    expect(['file:///ab', 'file:///c'].some((uri) => matches(update(uri), filter))).toBe(false)
    expect(matches({ kind: 'toolsListChanged' }, filter)).toBe(false)
  })

  it('names changes, and everything that may have changed', () => {
    expect(changeOf('notifications/tools/list_changed', {})).toEqual({ kind: 'toolsListChanged' })
    expect(changeOf('notifications/resources/updated', {})).toBeUndefined()
    expect(changeOf('constructor', { a: 1 })).toEqual({
      kind: 'other',
      method: 'constructor',
      params: { a: 1 },
    })
    expect(everythingIn({ promptsListChanged: true, resourceSubscriptions: ['a:1'] })).toEqual([
      { kind: 'promptsListChanged' },
      { kind: 'resourceUpdated', uri: 'a:1' },
    ])
  })
})
