/**
 * Publishing changes. A notifier does not know who listens: it hands each change to a publisher,
 * which may be a bus, many handlers, or nobody.
 *
 * @module
 */
import type { LoggingLevel } from '../protocol/logging.ts'
import { logNotification } from './log.ts'
import type { LogOptions } from './log.ts'

/** Something that changed, or a word to whoever wants to hear it. */
export type Change =
  | { readonly kind: 'tools' | 'prompts' | 'resources' }
  | { readonly kind: 'resource'; readonly uri: string }
  | { readonly kind: 'elicitation'; readonly elicitationId: string }
  | { readonly kind: 'log'; readonly level: LoggingLevel; readonly text: string }

/** Takes one change to whoever subscribed; settles when it is handed over. */
export type Publish = (change: Change) => Promise<void>

/** A handler as its server sees it: somewhere changes go. */
export interface Outlet {
  /** Takes what `server.notify` publishes; rejects where that cannot go out. */
  readonly publish: Publish
  /** Takes a change of the server's own definitions. */
  readonly changed: (change: Change) => void
  /** What carries changes on from there; of outlets that share one, a change goes to the first. */
  readonly bus?: object | undefined
}

/** Tells subscribers what changed. Every method settles when the change is handed over. */
export interface Notifier {
  /** The list of tools changed. */
  toolsChanged(): Promise<void>
  /** The list of prompts changed. */
  promptsChanged(): Promise<void>
  /** The list of resources, or of templates, changed. */
  resourcesChanged(): Promise<void>
  /** The content of one resource changed. */
  resourceUpdated(uri: string): Promise<void>
  /** What the user was asked to do at a URL is done; only 2025-11-25 clients hear of it. */
  elicitationComplete(elicitationId: string): Promise<void>
  /**
   * Logs something that belongs to no call: to the GET streams of sessions that asked for its level.
   *
   * @param level how severe it is
   * @param data anything that JSON can hold
   * @param options the logger's name
   */
  log(level: LoggingLevel, data: unknown, options?: LogOptions): Promise<void>
}

/**
 * A notifier that hands every change to `publish`.
 *
 * @param publish where changes go
 */
export function createNotifier(publish: Publish): Notifier {
  return {
    toolsChanged: () => publish({ kind: 'tools' }),
    promptsChanged: () => publish({ kind: 'prompts' }),
    resourcesChanged: () => publish({ kind: 'resources' }),
    resourceUpdated: (uri) => publish({ kind: 'resource', uri }),
    elicitationComplete: (elicitationId) => publish({ kind: 'elicitation', elicitationId }),
    log: async (level, data, options) =>
      publish({ kind: 'log', level, text: logNotification(level, data, options) }),
  }
}
