/**
 * What a tool says about its user interface.
 *
 * @module
 */
import { META_UI, META_UI_RESOURCE_URI } from '../protocol/apps.ts'
import type { AppVisibility, ToolUiMeta } from '../protocol/apps.ts'
import { isRecord } from '../protocol/jsonrpc.ts'
import { checkUiUri } from './ui-resource.ts'

/** A `_meta` object as a definition takes it. */
type Meta = Readonly<Record<string, unknown>>

const VISIBILITIES: readonly string[] = ['model', 'app']

/**
 * The `meta` of a tool with a user interface. The page is named under both keys, because old hosts
 * know only the deprecated one.
 *
 * @param ui the page to show, and who may see the tool
 * @param meta what the tool's `meta` says besides; it is kept
 * @throws {TypeError} if the page has no `ui://` URI, or a visibility is neither `model` nor `app`
 */
export function toolMeta(ui: ToolUiMeta, meta: Meta = {}): Meta {
  const { resourceUri, visibility } = ui
  if (resourceUri !== undefined) checkUiUri('resourceUri', resourceUri)
  if (visibility !== undefined) checkVisibility(visibility)
  const before = meta[META_UI]
  return {
    ...meta,
    [META_UI]: { ...(isRecord(before) ? before : {}), ...ui },
    ...(resourceUri === undefined ? {} : { [META_UI_RESOURCE_URI]: resourceUri }),
  }
}

function checkVisibility(visibility: readonly AppVisibility[]): void {
  const known = visibility.every((who) => VISIBILITIES.includes(who))
  if (known && visibility.length > 0) return
  throw new TypeError("visibility must name 'model', 'app' or both")
}

/**
 * What a listed tool says about its user interface, whichever key names the page.
 *
 * @param tool a tool, as `tools/list` returns it
 * @returns undefined for a tool without a user interface
 */
export function toolUi(tool: { readonly _meta?: Meta | undefined }): ToolUiMeta | undefined {
  const { _meta: meta = {} } = tool
  const own = meta[META_UI]
  const ui = isRecord(own) ? own : {}
  const page = ui['resourceUri'] ?? meta[META_UI_RESOURCE_URI]
  const resourceUri = typeof page === 'string' ? page : undefined
  const visibility = Array.isArray(ui['visibility'])
    ? ui['visibility'].filter(isVisibility)
    : undefined
  if (resourceUri === undefined && visibility === undefined) return undefined
  return {
    ...(resourceUri === undefined ? {} : { resourceUri }),
    ...(visibility === undefined ? {} : { visibility }),
  }
}

function isVisibility(value: unknown): value is AppVisibility {
  return value === 'model' || value === 'app'
}
