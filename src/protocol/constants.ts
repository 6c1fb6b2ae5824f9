/**
 * The words of the wire that are neither methods nor versions: header names, `_meta` keys and
 * media types.
 *
 * @module
 */

/** The JSON-RPC version every message carries. */
export const JSONRPC_VERSION = '2.0'

/** Header that names the protocol revision of a request. */
export const PROTOCOL_VERSION_HEADER = 'mcp-protocol-version'
/** Header that names a legacy session. */
export const SESSION_ID_HEADER = 'mcp-session-id'
/** Header with which a legacy client resumes an SSE stream. */
export const LAST_EVENT_ID_HEADER = 'last-event-id'
/** Header that mirrors `method` on the modern wire. */
export const METHOD_HEADER = 'mcp-method'
/** Header that mirrors `params.name` or `params.uri` on the modern wire. */
export const NAME_HEADER = 'mcp-name'
/** Prefix of the headers that mirror annotated tool arguments on the modern wire. */
export const PARAM_HEADER_PREFIX = 'mcp-param-'

/** `_meta` key of the revision a modern request speaks. */
export const META_PROTOCOL_VERSION = 'io.modelcontextprotocol/protocolVersion'
/** `_meta` key of the capabilities a modern client declares with each request. */
export const META_CLIENT_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities'
/** `_meta` key of the identity a modern client may send with each request. */
export const META_CLIENT_INFO = 'io.modelcontextprotocol/clientInfo'
/** `_meta` key of the lowest log level a modern request wants to receive. */
export const META_LOG_LEVEL = 'io.modelcontextprotocol/logLevel'
/** `_meta` key of the server identity on modern results. */
export const META_SERVER_INFO = 'io.modelcontextprotocol/serverInfo'
/** `_meta` key that ties a notification on a listen stream to its subscription. */
export const META_SUBSCRIPTION_ID = 'io.modelcontextprotocol/subscriptionId'

/** Media type of JSON bodies. */
export const JSON_TYPE = 'application/json'
/** Media type of event streams. */
export const EVENT_STREAM_TYPE = 'text/event-stream'

/** Extension id of MCP Apps. */
export const APPS_EXTENSION = 'io.modelcontextprotocol/ui'
/** Extension id of tasks. */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks'
