/**
 * The bounds of what runs on Workers, each with its reason.
 *
 * @module
 */

/** Hubs that topics are spread over (`shards`). A stream opens at most one socket to each. */
export const SHARDS = 4
/** More would spend the subrequests of a stream on sockets. */
export const MAX_SHARDS = 8
/** Sockets that one subscription opens at once: the platform lets six requests wait for headers. */
export const MAX_CONNECTS_IN_FLIGHT = 5
/** Events a hub keeps for those who reconnect. */
export const MAX_RING_EVENTS = 1_000
/** Characters of one event of a hub: a notification is far smaller, and a thousand are kept. */
export const MAX_HUB_EVENT_CHARS = 65_536
/** Topics of one socket: a filter of 1 000 URIs and the lists. As hashes they fit the socket's 16 KiB. */
export const MAX_SOCKET_TOPICS = 1_024
/** Attempts to reach an object, each through a new stub. */
export const MAX_ATTEMPTS = 3
/** Milliseconds before the second attempt; it doubles from there. */
export const RETRY_MS = 50
/** Milliseconds that reconnecting slows down to. */
export const MAX_RECONNECT_MS = 5_000
/** Milliseconds for which a first connection is tried: a little less than a handler waits for its bus. */
export const CONNECT_PATIENCE_MS = 4_000
/** Milliseconds for which session mail is kept for a receiver that reconnects. */
export const MAIL_KEPT_MS = 60_000
/** Letters of session mail that are kept: a receiver away for longer than these is lost anyway. */
export const MAX_KEPT_MAIL = 1_000
/** Milliseconds that whoever owes an answer may be out of touch before it counts as dead. */
export const OWED_GRACE_MS = 10_000
/** Characters of one event that is stored: a row of SQLite on Workers takes 2 MB, and text up to three bytes a character. */
export const MAX_STORED_EVENT_CHARS = 600_000
/** Parts of the idle time that pass before a session is touched again: reading need not write. */
export const TOUCHES_PER_IDLE = 10
/** Sessions of one principal (`maxPerPrincipal`). */
export const MAX_SESSIONS_PER_PRINCIPAL = 1_000
/** Milliseconds between two looks into KV (`pollMs`): a list operation each. */
export const KV_POLL_MS = 5_000
/** Seconds a KV event is kept: longer than a change takes to be seen everywhere. */
export const KV_EVENT_TTL_S = 300
/** The shortest life of a KV entry, in seconds; the platform's own rule. */
export const KV_MIN_TTL_S = 60
/** Milliseconds for which a session read from KV is believed: as long as KV itself believes it. */
export const KV_CACHE_MS = 60_000
/** Milliseconds between two writes of one KV key; the platform refuses faster ones. */
export const KV_WRITE_PAUSE_MS = 1_100
/** Milliseconds after which a listen stream starts over (`limits.maxStreamAgeMs`), long before its subrequests are spent. */
export const MAX_STREAM_AGE_MS = 1_800_000
/** The close code of a socket whose session is over; reconnecting is pointless. */
export const CLOSE_ENDED = 4404
/** Events of one session (`maxEvents`): enough for the longest reconnect. */
export const MAX_EVENTS = 1_000
/** Bytes of them (`maxSessionBytes`): a session cannot grow without end, and its storage is paid for. */
export const MAX_SESSION_EVENT_BYTES = 16_777_216
/** Milliseconds for which an event is kept (`maxAgeMs`): clients reconnect sooner, or never. */
export const EVENT_AGE_MS = 300_000
/** Milliseconds after which an unused session ends (`idleTimeoutMs`). */
export const SESSION_IDLE_MS = 1_800_000
/** Streams whose answers one isolate holds at once; more are not told from dead ones. */
export const MAX_HELD_STREAMS = 1_000
/** Sessions an isolate remembers to have read from KV. */
export const MAX_CACHED_SESSIONS = 1_000
/** Events that a KV poll remembers to have seen: more than are kept at a time anyone can read. */
export const MAX_SEEN_EVENTS = 10_000
