/**
 * Plain JSON Schema instead of a schema library: `mcp-edge/json-schema`.
 *
 * @module
 */
export type { JsonSchema, JsonSchemaMap } from '../schema/json-schema.ts'
export type { Issue, StandardJsonSchema, StandardSchema } from '../schema/standard.ts'
export type { JsonSchemaValue } from './json-schema.ts'
export type { JsonValidator } from './validator.ts'
export { jsonSchema } from './json-schema.ts'
export { compileValidator } from './validator.ts'
