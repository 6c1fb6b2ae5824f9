/**
 * Every default bound, each with its reason. A bound that a user can change names its option.
 *
 * @module
 */

/** Bytes of a request body (`limits.requestBytes`): room for a few images, not for exhaustion. */
export const MAX_REQUEST_BYTES = 4_194_304
/** Nesting of a JSON body (`limits.jsonDepth`): real messages stay under 20; recursion deeper than this only costs stack. */
export const MAX_JSON_DEPTH = 64
/** Bytes that may wait in one SSE stream (`limits.streamBytes`) before its reader counts as gone. */
export const MAX_STREAM_BYTES = 1_048_576
/** Open `subscriptions/listen` streams of one handler (`limits.listenStreams`). */
export const MAX_LISTEN_STREAMS = 1_000
/** Resource URIs in one listen filter (`limits.listenUris`). */
export const MAX_LISTEN_URIS = 1_000
/** Milliseconds a bus may take over an event before its publisher goes on without it: a request that publishes must end. */
export const BUS_PATIENCE_MS = 5_000
/** Milliseconds an event store may take over an event before it goes out without an id: its client waits for it. */
export const EVENT_PATIENCE_MS = 5_000
/** Seconds a refused listener or session is told to wait (`Retry-After`). */
export const RETRY_AFTER_SECONDS = 5
/** Milliseconds after which an answer that is still pending becomes a stream (`streamAfterMs`), so that keepalives can flow. */
export const STREAM_AFTER_MS = 5_000
/** Milliseconds between keepalive comments (`keepaliveMs`): under every proxy's idle timeout we know of. */
export const KEEPALIVE_MS = 15_000
/** Milliseconds a question to the client may wait (`serverRequestTimeoutMs`): a person has to answer it. */
export const SERVER_REQUEST_TIMEOUT_MS = 600_000
/** Sessions the memory store holds (`memorySessions({ max })`). */
export const MAX_SESSIONS = 10_000
/** Milliseconds after which an unused session expires (`memorySessions({ idleTimeoutMs })`). */
export const SESSION_IDLE_MS = 1_800_000
/** Milliseconds between two readings of a session's record while something is alive for it: far below any sensible idle time. */
export const SESSION_TOUCH_MS = 15_000
/** Resources one session subscribes to: as many as one listen filter. */
export const MAX_SESSION_URIS = 1_000
/** Characters of what a client says of itself at `initialize`: it is kept as long as the session. */
export const MAX_HELLO_CHARS = 16_384
/** Pages whose completion a handler can still announce to a stream that opens later. */
export const MAX_EXPECTED_ELICITATIONS = 1_000
/** Milliseconds a client is told to wait (`retry`) before it comes back to a stream that we closed. */
export const POLL_RETRY_MS = 1_000
/** Milliseconds a sealed request state stays valid (`requestState.ttlMs`): as long as a legacy question waits. */
export const REQUEST_STATE_TTL_MS = 600_000
/** Rounds of questions one call may need: more is a loop. */
export const MAX_ROUNDS = 8
/** Characters of a sealed request state: it travels in every retry. */
export const MAX_REQUEST_STATE_CHARS = 262_144
/** Values of one completion; the specification allows no more. */
export const MAX_COMPLETION_VALUES = 100
/** Nesting of a JSON Schema given in a definition. */
export const MAX_SCHEMA_DEPTH = 64
/** Subschemas of a JSON Schema given in a definition. */
export const MAX_SUBSCHEMAS = 10_000
/** Characters of a resource URI: matching is linear, but not free. */
export const MAX_URI_CHARS = 8_192
/** Characters of a URI template. */
export const MAX_TEMPLATE_CHARS = 2_048
/** Expressions of a URI template. */
export const MAX_TEMPLATE_EXPRESSIONS = 32
/** Characters of a tool or prompt name before a definition warns; the specification recommends no more. */
export const RECOMMENDED_NAME_CHARS = 128
/** Messages in one 2025-03-26 batch: each is a call of its own. */
export const MAX_BATCH = 100
/** Problems named in one validation error: a reader needs the first few, and text costs tokens. */
export const MAX_REPORTED_ISSUES = 20

/** Bytes of one message a client reads: a JSON body, an SSE event, a stdio line (`maxMessageBytes`). Room for a few images. */
export const MAX_MESSAGE_BYTES = 4_194_304
/** Milliseconds a client waits for an answer (`timeoutMs`): long for a tool, short for a person who watches. */
export const CLIENT_TIMEOUT_MS = 60_000
/** Milliseconds a stdio server may be silent to a probe before it counts as legacy: such servers never answer it. */
export const PROBE_TIMEOUT_MS = 5_000
/** Rounds of questions a client answers for one call (`maxRounds`): more is a loop. */
export const MAX_CLIENT_ROUNDS = 10
/** Milliseconds all rounds of one call may take together (`maxTotalMs`): as long as a person is given to answer. */
export const CLIENT_ROUNDS_TOTAL_MS = 600_000
/** Questions of a server that are answered at the same time, or stand in one result: no person and no model follows more. */
export const MAX_OPEN_QUESTIONS = 100
/** Milliseconds before the first retry of a call that came back with state and no question. */
export const STATE_RETRY_MS = 50
/** Milliseconds that such retries slow down to. */
export const MAX_STATE_RETRY_MS = 250
/** Pages a client reads of one list (`maxPages`): more is a server that never ends. */
export const MAX_PAGES = 1_000
/** Tools whose mirrored headers a client remembers. */
export const MAX_LEARNED_TOOLS = 1_000
/** Results a client's memory cache keeps. */
export const MAX_CACHED_RESULTS = 1_000
/** Milliseconds before a broken stream is resumed, unless the server says otherwise (`retry`). */
export const RECONNECT_MS = 1_000
/** Milliseconds that `retry` cannot go below: a server that says 0 would be asked without pause. */
export const MIN_RECONNECT_MS = 100
/** Attempts to resume a stream before it is given up; every event starts the count anew. */
export const MAX_RECONNECTS = 2
/** Milliseconds that a request may spend waiting to resume: a `retry` of a day is no answer. */
export const RECONNECT_BUDGET_MS = 300_000
/** Milliseconds a client waits for its GET stream to open before it carries on: some proxies hold the headers back. */
export const STREAM_OPEN_MS = 1_000
/** Milliseconds that ending a session (DELETE) may take before `close()` stops waiting. */
export const SESSION_END_MS = 2_000
/** Redirects followed within one origin. */
export const MAX_REDIRECTS = 3
/** Times one request is repeated after an authorization challenge: once for a token, once for more scope, once to spare. */
export const MAX_CHALLENGES = 3
/** Characters of a peer's text that an error message repeats: enough to recognize it. */
export const MAX_QUOTED_CHARS = 200
/** Characters of an error message of ours: what a peer wrote may be quoted in it, and logs are read by people. */
export const MAX_ERROR_CHARS = 2_000
/** Characters of a `WWW-Authenticate` header that are read: common servers and clients take no more of all headers. */
export const MAX_CHALLENGE_CHARS = 16_384
/** Milliseconds between the steps of ending a child process: close its input, ask it, kill it. */
export const SHUTDOWN_STEP_MS = 2_000
/** Characters of a child's stderr that an error quotes. */
export const MAX_STDERR_TAIL_CHARS = 2_000
/** Bytes of an OAuth document or token response: real ones stay under 20 KB, key sets included. */
export const MAX_OAUTH_BYTES = 262_144
/** Milliseconds one OAuth request may take. */
export const OAUTH_TIMEOUT_MS = 10_000
/** Seconds two clocks may disagree about a token (`clockToleranceS`). */
export const CLOCK_TOLERANCE_S = 30
/** Milliseconds a key set is used (`cacheMs`) before it is asked for again. */
export const AUTH_CACHE_MS = 300_000
/** Milliseconds between two refreshes of a key set: tokens with made-up key ids cannot hammer its host. */
export const JWKS_COOLDOWN_MS = 30_000
/** Introspection answers kept at once; the oldest goes first. */
export const MAX_INTROSPECTIONS = 1_000
/** Bytes of an access token: more does not fit the header limits of common servers. */
export const MAX_TOKEN_CHARS = 16_384
/** Seconds before its expiry that an access token is refreshed, so that it does not expire on the way. */
export const REFRESH_EARLY_S = 30
/** Seconds a client assertion is valid: long enough for one request and a wrong clock. */
export const ASSERTION_LIFETIME_S = 300
/** Milliseconds a user has to come back from signing in. */
export const AUTHORIZATION_TTL_MS = 600_000
/** Items of an array under `uniqueItems` in plain JSON Schema: the comparison is quadratic. */
export const MAX_UNIQUE_ITEMS = 2_000
/** Events the memory log keeps for one session (`memoryEvents({ maxEvents })`): enough for the longest reconnect. */
export const MAX_EVENTS = 1_000
/** Bytes of them (`memoryEvents({ maxSessionBytes })`): one session cannot crowd out the others. */
export const MAX_SESSION_EVENT_BYTES = 16_777_216
/** Bytes the memory log keeps in all (`memoryEvents({ maxBytes })`): half of a small process. */
export const MAX_EVENT_BYTES = 67_108_864
/** Milliseconds for which the memory log keeps an event (`memoryEvents({ maxAgeMs })`): clients reconnect sooner, or never. */
export const EVENT_AGE_MS = 300_000
/** Milliseconds that keys are used while their host cannot be reached: a revoked key may be believed this long. */
export const JWKS_STALE_MS = 3_600_000
/** Milliseconds an introspection answer is used (`cacheMs`): a revoked token may be believed this long. */
export const INTROSPECTION_CACHE_MS = 30_000
/** Milliseconds that attempts to listen again slow down to. */
export const MAX_RELISTEN_MS = 30_000
/** Characters that name the changes which wait until a listening application reads them: a server that names new resources without end is not followed. */
export const MAX_WAITING_CHARS = 4_194_304
/** Rounds a linear handler may take: clients stop after about ten, so more is a handler that never stops asking. */
export const MAX_REPLAY_ROUNDS = 32
/** Answers and effects that one call may remember between its rounds: all of them travel in every retry. */
export const MAX_JOURNAL_ENTRIES = 128
/** Milliseconds after which a session in a store outside this process is over, used or not (`maxAgeMs`): a day of work. */
export const SESSION_MAX_AGE_MS = 86_400_000
/** Session ids a process remembers to have verified: what is busy is not verified again. */
export const MAX_VERIFIED_IDS = 1_000
/** Characters of an id that carries its session: it travels in a header of every request. */
export const MAX_SEALED_SESSION_CHARS = 2_048
