/**
 * Pages of apps, as resources.
 *
 * @module
 */
import { APP_MIME_TYPE, APP_URI_SCHEME, META_UI } from '../protocol/apps.ts'
import type { ResourceUiMeta } from '../protocol/apps.ts'
import type { Context } from '../server/context.ts'
import { defineResource } from '../server/define.ts'
import type { AnyResource, ResourceConfig } from '../server/definitions.ts'

/** What a page says about itself. */
export interface UiResourceConfig extends Omit<ResourceConfig, 'mimeType'> {
  /** What the page may reach and ask for. @default nothing */
  readonly ui?: ResourceUiMeta | undefined
}

/** Returns the page's HTML. */
export type UiReader = (uri: string, ctx: Context) => string | Promise<string>

/**
 * Defines the page of an app. It has the media type of every app, and says what it may reach where it
 * is listed and where it is read.
 *
 * @param uri the page's URI, `ui://…`
 * @param config what the page says about itself
 * @param html the page, or what returns it
 * @throws {TypeError} if the URI is no `ui://` URI, or the configuration names another media type
 */
export function uiResource(
  uri: string,
  config: UiResourceConfig,
  html: string | UiReader,
): AnyResource {
  checkUiUri('uri', uri)
  const { ui, ...common } = config
  checkMimeType(common)
  const extra = ui === undefined ? {} : { [META_UI]: ui }
  const meta = { ...common.meta, ...extra }
  const listed = { ...common, mimeType: APP_MIME_TYPE, meta }
  return defineResource(uri, listed, async (read, ctx) => ({
    mimeType: APP_MIME_TYPE,
    text: typeof html === 'string' ? html : await html(read, ctx),
    ...(ui === undefined ? {} : { _meta: extra }),
  }))
}

/** What the type refuses, code without types may still say. */
function checkMimeType(config: object): void {
  if (!('mimeType' in config) || config.mimeType === APP_MIME_TYPE) return
  throw new TypeError(`the media type of a page is ${APP_MIME_TYPE}`)
}

/**
 * Checks the URI of a page.
 *
 * @param name what the URI is called where it stands
 * @throws {TypeError} if it is no `ui://` URI
 */
export function checkUiUri(name: string, uri: string): void {
  if (uri.startsWith(APP_URI_SCHEME) && uri.length > APP_URI_SCHEME.length && URL.canParse(uri))
    return
  throw new TypeError(`${name} must be a ${APP_URI_SCHEME} URI: '${uri}'`)
}
