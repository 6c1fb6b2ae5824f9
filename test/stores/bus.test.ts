import { expect, test } from 'vitest'
import {
  ELICITATIONS_TOPIC,
  LOG_TOPIC,
  PROMPTS_TOPIC,
  resourceTopic,
  RESOURCES_TOPIC,
  sessionTopic,
  TOOLS_TOPIC,
} from '../../src/stores/bus.ts'

test('no URI and no session id can name the topic of something else', () => {
  const fixed = [TOOLS_TOPIC, PROMPTS_TOPIC, RESOURCES_TOPIC, ELICITATIONS_TOPIC, LOG_TOPIC]
  const names = ['', 'tools', 'session/a', 'resource/a', '__proto__']
  const topics = [...fixed, ...names.map(resourceTopic), ...names.map(sessionTopic)]
  expect(new Set(topics).size).toBe(topics.length)
})
