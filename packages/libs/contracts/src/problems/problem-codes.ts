/** Every code that a problem document may carry, with its status and what it means. The list is closed. */
export const PROBLEMS = {
  key_missing: problem(
    401,
    'No API key',
    'The request carries no key. Send one as X-API-Key or as a bearer token; the first start keeps one in the file admin-key of its data directory.',
  ),
  key_invalid: problem(401, 'Unknown API key', 'The key that was sent is not known here.'),
  key_expired: problem(401, 'Expired API key', 'The time until which the key was valid has passed.'),
  key_revoked: problem(401, 'Revoked API key', 'The key was revoked.'),
  session_ended: problem(
    401,
    'Session ended',
    'The session was signed out, ended or expired, or its key no longer works.',
  ),
  sign_in_link_invalid: problem(
    401,
    'Unknown sign-in link',
    'The sign-in link that was sent is not known here.',
  ),
  sign_in_link_expired: problem(
    401,
    'Expired sign-in link',
    'The time until which the sign-in link was valid has passed.',
  ),
  sign_in_link_used: problem(
    401,
    'Used sign-in link',
    'The sign-in link was used already. Each link signs in one browser, once.',
  ),
  sign_on_expired: problem(
    401,
    'Sign-in not under way',
    'No sign-in with the identity provider is under way in this browser: it took longer than ten minutes, was completed already, or began in another browser or at another address.',
  ),
  sign_on_refused: problem(
    401,
    'Sign-in refused',
    'The identity provider refused the sign-in, or its response does not belong to it.',
  ),
  sign_on_not_permitted: problem(
    403,
    'No access',
    'The identity provider knows the user, and no group of the user has access to Tidewatch.',
  ),
  key_sign_in_off: problem(
    403,
    'Keys do not sign people in',
    'Keys are for programs here. People sign in with the identity provider.',
  ),
  scope_missing: problem(403, 'Scope missing', "The key is valid but lacks the endpoint's scope."),
  confirmation_needed: problem(
    403,
    'Confirmation needed',
    'The session may use the scopes admin and operator only for a time after sign-in or confirmation, which is over.',
  ),
  cross_site: problem(
    403,
    'Request from another site',
    'The request uses a session, or signs in, but does not come from the console at this address.',
  ),
  host_not_allowed: problem(403, 'Host not allowed', 'The key may not report for this host.'),
  not_found: problem(404, 'Not found', 'Nothing is here, or nothing that the key may see.'),
  method_not_allowed: problem(
    405,
    'Method not allowed',
    'The path exists, but not with this method. Allow lists those it takes.',
  ),
  not_acceptable: problem(406, 'Not acceptable', 'None of the forms that Accept names can be answered.'),
  request_timeout: problem(408, 'Request took too long', 'The request did not arrive completely in time.'),
  conflict: problem(409, 'Conflict', 'The object is in a state that does not allow this.'),
  alert_resolved: problem(409, 'Alert resolved', 'A resolved alert cannot be acknowledged.'),
  last_admin_key: problem(
    409,
    'Last admin key',
    'No other admin key of the organization would be left. Create one first.',
  ),
  precondition_failed: problem(
    412,
    'Changed meanwhile',
    'If-Match does not name the current version. Read the object again.',
  ),
  payload_too_large: problem(
    413,
    'Body too large',
    'The body is larger than the limit, on the wire or decompressed.',
  ),
  uri_too_long: problem(414, 'Address too long', 'The request target is longer than the server takes.'),
  unsupported_media_type: problem(
    415,
    'Unsupported content type',
    'The endpoint does not take this Content-Type.',
  ),
  unsupported_content_encoding: problem(
    415,
    'Unsupported content encoding',
    'Accepted are gzip, br, zstd, deflate and identity.',
  ),
  expectation_failed: problem(
    417,
    'Expectation failed',
    'Only "100-continue" is understood as an expectation.',
  ),
  validation_failed: problem(
    422,
    'Invalid request',
    'The request has faults. `errors` names every one of them, up to a hundred.',
  ),
  unsupported: problem(
    422,
    'Not supported',
    'The request is well formed but asks for something that this version does not do.',
  ),
  limit_reached: problem(
    422,
    'Limit reached',
    'The organization has as many objects of the kind, or as many bytes of audit records in this hour, as it may.',
  ),
  series_limit: problem(
    422,
    'Too many series',
    'The payload would add metrics beyond the limit of series of the organization, or parts beyond the limit of a host.',
  ),
  rate_limited: problem(
    429,
    'Too many requests',
    'The rate limit of the key is used up. Retry-After says when to come back.',
  ),
  samples_limited: problem(
    429,
    'Too many samples',
    'The organization has used up its samples a minute. Retry-After says when the request is taken.',
  ),
  too_many_refusals: problem(
    429,
    'Too many refused keys',
    'Too many keys from this address were refused within a minute. Requests with a right key are served.',
  ),
  export_running: problem(
    429,
    'Exports are running',
    'The organization runs as many exports as it may at once. Retry-After says when to come back.',
  ),
  preview_running: problem(
    429,
    'A preview is running',
    'One preview of an organization runs at a time. Retry-After says when to come back.',
  ),
  investigations_queued: problem(
    429,
    'Too many investigations wait',
    'The organization has asked for as many investigations as may wait. Retry-After says when to come back.',
  ),
  too_many_streams: problem(
    429,
    'Too many event streams',
    'The key or its organization has as many event streams open as one process holds for it. Retry-After says when to come back.',
  ),
  organization_busy: problem(
    429,
    'The organization is busy',
    'Other requests of the organization use its whole share of this. Retry-After says when to come back.',
  ),
  headers_too_large: problem(431, 'Headers too large', 'The header fields are larger than the server takes.'),
  bad_request: problem(400, 'Malformed request', 'The request could not be read as HTTP.'),
  internal_error: problem(
    500,
    'Internal error',
    'Something failed that should not. The log has more under the request id.',
  ),
  bad_gateway: problem(
    502,
    'Bad gateway',
    'The process behind this address did not answer. Send the request again, where it may be sent twice.',
  ),
  identity_provider_unavailable: problem(
    503,
    'Identity provider unavailable',
    'The identity provider does not work at the moment, so nobody can sign in with it.',
  ),
  ingest_unavailable: problem(
    503,
    'Ingest unavailable',
    'Payloads cannot be made durable at the moment. Send them again later.',
  ),
  database_unavailable: problem(503, 'Database unavailable', 'The database does not answer at the moment.'),
  secrets_unreadable: problem(
    503,
    'Secrets unreadable',
    "The channel's secrets were encrypted with another TIDEWATCH_SECRET_KEY than the one that this process has.",
  ),
  storage_full: problem(
    503,
    'Storage full',
    'The disk is nearly full. Ingest resumes by itself once there is space.',
  ),
  overloaded: problem(
    503,
    'Overloaded',
    'Requests of others held all that the process has for this until the time limit. Retry-After says when to come back.',
  ),
  streams_full: problem(
    503,
    'No room for event streams',
    'The process holds as many event streams as it can. Retry-After says when to come back.',
  ),
  shutting_down: problem(503, 'Shutting down', 'The process is leaving. Send the request again.'),
} as const satisfies Record<string, ProblemKind>;

export type ProblemCode = keyof typeof PROBLEMS;

export interface ProblemKind {
  status: number;
  title: string;
  description: string;
}

export const PROBLEM_CODES = Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]];

function problem(status: number, title: string, description: string): ProblemKind {
  return { status, title, description };
}
