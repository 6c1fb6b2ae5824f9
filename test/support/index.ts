/**
 * What tests of the server share.
 *
 * @module
 */
export { listOf, read, type Answer, type WireObject } from './answer.ts'
export { call, type CallOptions } from './call.ts'
export { fakeClock, settle, type FakeClock } from './clock.ts'
export { isRecord, messages, streamOf, type StreamEvent } from './events.ts'
export {
  encodeMirrored,
  ENDPOINT,
  legacy,
  MODERN,
  modern,
  type Params,
  type RequestOverrides,
} from './requests.ts'
export { assertServerMessage, assertWire } from './wire.ts'
