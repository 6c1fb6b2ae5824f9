/**
 * Log messages of a handler: sent to the caller, on the stream of its own call, when and only when
 * the caller asked for that level.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/server/utilities/logging
 * @module
 */
import { isAtLeast } from '../protocol/logging.ts'
import type { LoggingLevel } from '../protocol/logging.ts'

/** What a log message may say besides its data. */
export interface LogOptions {
  /** The name of the part that logs. */
  readonly logger?: string | undefined
}

/** Sends log messages, one method per level. */
export type Log = {
  readonly [Level in LoggingLevel]: (data: unknown, options?: LogOptions) => void
}

/**
 * A log message as a notification.
 *
 * @param level the level of the message
 * @param data anything that JSON can hold
 * @param options the logger's name
 */
export function logNotification(
  level: LoggingLevel,
  data: unknown,
  options: LogOptions = {},
): string {
  const params = JSON.stringify({ level, logger: options.logger }).slice(0, -1)
  return `{"jsonrpc":"2.0","method":"notifications/message","params":${params},"data":${jsonOf(data)}}}`
}

/** A log call never throws, whatever it is given: it only runs where a client asked for logs. */
function jsonOf(data: unknown): string {
  try {
    return JSON.stringify(data) ?? 'null'
  } catch {
    return JSON.stringify(`[${typeof data} that is not JSON]`)
  }
}

/**
 * A log that sends what is wanted and drops the rest.
 *
 * @param lowest the lowest level that was asked for
 * @param send takes a finished notification
 */
export function createLog(
  lowest: LoggingLevel | undefined,
  send: (notification: string) => void,
): Log {
  const at =
    (level: LoggingLevel) =>
    (data: unknown, options?: LogOptions): void => {
      if (lowest !== undefined && isAtLeast(level, lowest))
        send(logNotification(level, data, options))
    }
  return {
    debug: at('debug'),
    info: at('info'),
    notice: at('notice'),
    warning: at('warning'),
    error: at('error'),
    critical: at('critical'),
    alert: at('alert'),
    emergency: at('emergency'),
  }
}
