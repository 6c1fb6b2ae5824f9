import { expect, test } from 'vitest'
import { createNotifier } from '../../src/server/notifier.ts'
import type { Change } from '../../src/server/notifier.ts'

test('each word becomes one change', async () => {
  const changes: Change[] = []
  const notifier = createNotifier(async (change) => void changes.push(change))
  await notifier.toolsChanged()
  await notifier.promptsChanged()
  await notifier.resourcesChanged()
  await notifier.resourceUpdated('a://b')
  await notifier.elicitationComplete('e')
  expect(changes).toEqual([
    { kind: 'tools' },
    { kind: 'prompts' },
    { kind: 'resources' },
    { kind: 'resource', uri: 'a://b' },
    { kind: 'elicitation', elicitationId: 'e' },
  ])
})
