import { expect, test } from 'vitest'
import * as entry from 'mcp-edge'
import { quiet } from '../http/served.ts'
import { settle } from '../support/index.ts'

test('everything that a first server needs comes from the root', () => {
  expect(Object.keys(entry)).toEqual(
    expect.arrayContaining([
      'McpServer',
      'createHandler',
      'ToolError',
      'McpError',
      'ResourceNotFoundError',
      'InvalidParamsError',
      'defineTool',
      'defineResource',
      'defineResourceTemplate',
      'definePrompt',
      'toolResult',
      'text',
      'image',
      'audio',
      'embedded',
      'resourceLink',
      'userMessage',
      'assistantMessage',
      'singleSelect',
      'multiSelect',
      'titledSingleSelect',
      'titledMultiSelect',
      'legacyTitledSelect',
      'memorySessions',
      'memoryBus',
      'memoryEvents',
    ]),
  )
})

test('many definitions in a row are one change', async () => {
  const { server } = quiet()
  const told: unknown[] = []
  const disconnect = server.connect({
    publish: async (change) => void told.push(change),
    changed: (change) => void told.push(change),
  })
  server.tool('a', {}, () => 'x')
  server.tool('b', {}, () => 'x')
  server.prompt('p', {}, () => [])
  await settle()
  expect(told).toEqual([{ kind: 'tools' }, { kind: 'prompts' }])
  await server.notify.resourceUpdated('a://b')
  expect(told.at(-1)).toEqual({ kind: 'resource', uri: 'a://b' })
  disconnect()
  await server.notify.toolsChanged()
  expect(told).toHaveLength(3)
})
