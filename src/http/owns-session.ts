/**
 * The question that an application may answer before a request enters a session.
 *
 * @module
 */
import type { Awaitable } from '../shared/fetch.ts'
import type { SessionRecord } from '../stores/session-store.ts'

/** Tells whether a request may enter a session; false is answered with 403. */
export type OwnsSession = (request: Request, session: SessionRecord) => Awaitable<boolean>
