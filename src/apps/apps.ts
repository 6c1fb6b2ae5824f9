/**
 * The extension itself: how a server says that it has apps, and how a handler asks whether its client
 * shows them.
 *
 * @see https://github.com/modelcontextprotocol/ext-apps
 * @module
 */
import { APP_MIME_TYPE } from '../protocol/apps.ts'
import { extensionSettings } from '../protocol/capabilities.ts'
import { APPS_EXTENSION } from '../protocol/constants.ts'
import type { Context } from '../server/context.ts'
import type { Extension } from '../server/extension.ts'

/**
 * The extension: `server.use(apps())` declares it.
 */
export function apps(): Extension {
  return { id: APPS_EXTENSION, settings: {} }
}

/**
 * Tells whether the client of a call shows pages of a media type. It is judged by each call, because
 * two clients of one server need not be alike; a client that shows none still gets the tool's text.
 *
 * @param ctx the call's context
 * @param mimeType the media type of the page. Default that of every app, `text/html;profile=mcp-app`
 */
export function clientSupports(
  ctx: Pick<Context, 'client'>,
  mimeType: string = APP_MIME_TYPE,
): boolean {
  const types = extensionSettings(ctx.client.capabilities, APPS_EXTENSION)?.['mimeTypes']
  return Array.isArray(types) && types.includes(mimeType)
}
