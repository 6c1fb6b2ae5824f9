/**
 * What both eras put into the `_meta` of a request.
 *
 * @module
 */
import { isRecord } from '../../protocol/jsonrpc.ts'
import type { ProgressToken } from '../../protocol/jsonrpc.ts'
import type { MetaObject } from '../../protocol/params.ts'
import type { EraCall } from './era.ts'

/**
 * The `_meta` of a request: what the application put there, and the token where it wants progress.
 *
 * @param call the request
 * @param token under which progress is reported
 */
export function metaOf(
  { params, meta, onProgress, resetOnProgress }: Omit<EraCall, 'method'>,
  token?: ProgressToken,
): MetaObject {
  const own = params['_meta']
  const wantsProgress = onProgress !== undefined || resetOnProgress === true
  return {
    ...(isRecord(own) ? own : {}),
    ...meta,
    ...(wantsProgress && token !== undefined ? { progressToken: token } : {}),
  }
}
