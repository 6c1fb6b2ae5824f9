/**
 * OAuth for programs on Node: a file for tokens, and a sign-in through the user's browser.
 *
 * @module
 */
export { fileTokens } from './file-tokens.ts'
export type { FileTokensOptions } from './file-tokens.ts'
export { loopbackCallback } from './loopback-callback.ts'
export type { LoopbackCallback, LoopbackCallbackOptions } from './loopback-callback.ts'
