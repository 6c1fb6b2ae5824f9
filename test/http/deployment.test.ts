import { expect, test } from 'vitest'
import { hasSessions } from '../../src/http/deployment.ts'
import { Endpoint } from '../../src/http/endpoint.ts'
import { quiet } from './served.ts'

test.each([
  ['stateful', true],
  ['stateless', false],
  ['off', false],
] as const)('the legacy era %s has sessions: %s', (legacy, has) => {
  expect(hasSessions(new Endpoint(quiet().server, { legacy }))).toBe(has)
})
