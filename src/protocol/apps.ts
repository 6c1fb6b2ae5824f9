/**
 * MCP Apps: tools with a user interface (extension `io.modelcontextprotocol/ui`).
 *
 * @see https://github.com/modelcontextprotocol/ext-apps
 * @module
 */

/** Media type of an app's page. */
export const APP_MIME_TYPE = 'text/html;profile=mcp-app'
/** Scheme of the URIs of app pages. */
export const APP_URI_SCHEME = 'ui://'
/** `_meta` key of an app's settings, on tools and on resources. */
export const META_UI = 'ui'
/** Deprecated `_meta` key of a tool's page: old hosts read it, so it is written beside {@link META_UI}. */
export const META_UI_RESOURCE_URI = 'ui/resourceUri'

/** What a client declares for the extension. */
export interface AppsClientSettings {
  /** The media types it can show. */
  readonly mimeTypes: readonly string[]
}

/** Who may see a tool. */
export type AppVisibility = 'model' | 'app'

/** A tool's `_meta.ui`. */
export interface ToolUiMeta {
  /** The page to show, a `ui://` URI. */
  readonly resourceUri?: string | undefined
  /** Default both. */
  readonly visibility?: readonly AppVisibility[] | undefined
}

/** Origins an app's page may reach. */
export interface AppContentSecurityPolicy {
  readonly connectDomains?: readonly string[] | undefined
  readonly resourceDomains?: readonly string[] | undefined
  readonly frameDomains?: readonly string[] | undefined
  readonly baseUriDomains?: readonly string[] | undefined
}

/** What an app's page asks the browser for; present means asked. */
export interface AppPermissions {
  readonly camera?: Readonly<Record<string, never>> | undefined
  readonly microphone?: Readonly<Record<string, never>> | undefined
  readonly geolocation?: Readonly<Record<string, never>> | undefined
  readonly clipboardWrite?: Readonly<Record<string, never>> | undefined
}

/** A page's `_meta.ui`. */
export interface ResourceUiMeta {
  readonly csp?: AppContentSecurityPolicy | undefined
  readonly permissions?: AppPermissions | undefined
  /** A dedicated origin for the page. */
  readonly domain?: string | undefined
  readonly prefersBorder?: boolean | undefined
}
