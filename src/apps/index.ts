/**
 * MCP Apps: tools with a user interface. The `mcp-edge/apps` entry.
 *
 * @see https://github.com/modelcontextprotocol/ext-apps
 * @module
 */
export { apps, clientSupports } from './apps.ts'
export { toolMeta, toolUi } from './tool-meta.ts'
export { uiResource } from './ui-resource.ts'
export type { UiReader, UiResourceConfig } from './ui-resource.ts'
export { APP_MIME_TYPE } from '../protocol/apps.ts'
export type {
  AppContentSecurityPolicy,
  AppPermissions,
  AppVisibility,
  ResourceUiMeta,
  ToolUiMeta,
} from '../protocol/apps.ts'
