/**
 * Log messages from server to client, and their order of severity.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/logging
 * @module
 */
import type { NotificationParams, RequestParams } from './params.ts'

/** The levels of RFC 5424 by name, the least severe first. */
export const LOGGING_LEVELS = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const

/** How severe a log message is. */
export type LoggingLevel = (typeof LOGGING_LEVELS)[number]

/** Parameters of `logging/setLevel` (until 2025-11-25). */
export interface SetLevelRequestParams extends RequestParams {
  /** The least severe level to send. */
  readonly level: LoggingLevel
}

/** Parameters of `notifications/message`. */
export interface LoggingMessageNotificationParams extends NotificationParams {
  readonly level: LoggingLevel
  readonly logger?: string | undefined
  /** Any JSON value. */
  readonly data: unknown
}

/**
 * Tells whether `value` names a level.
 *
 * @param value a level from the wire
 */
export function isLoggingLevel(value: unknown): value is LoggingLevel {
  return LOGGING_LEVELS.some((level) => level === value)
}

/**
 * Tells whether a message of one level is to be sent to whoever asked for another.
 *
 * @param level how severe the message is
 * @param threshold the least severe level that is wanted
 */
export function isAtLeast(level: LoggingLevel, threshold: LoggingLevel): boolean {
  return LOGGING_LEVELS.indexOf(level) >= LOGGING_LEVELS.indexOf(threshold)
}
