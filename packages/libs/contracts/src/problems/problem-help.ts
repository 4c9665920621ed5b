import type { ProblemDocument } from './problem.ts';
import { PROBLEMS, type ProblemCode } from './problem-codes.ts';

/** The remedy of a problem, with an example. */
export interface ProblemHelp {
  remedy: string;
  example: string;
}

const AGAIN = 'Wait as many seconds as Retry-After says, then send the same request again.';
const BACK_OFF = 'curl --retry 5 --retry-max-time 60 -H "X-API-Key: $KEY" "$TW/api/v1/alerts"';
const WITH_KEY = 'curl -H "X-API-Key: $KEY" "$TW/api/v1/services"';
const SIGN_IN =
  'curl -c cookies -H "X-Tidewatch-Console: 1" -H "Content-Type: application/json" -d "{\\"key\\": \\"$KEY\\"}" "$TW/api/v1/session"';
const SIGN_ON =
  'curl -c cookies -H "X-Tidewatch-Console: 1" -H "Content-Type: application/json" -d "{}" "$TW/api/v1/session/sign-on"';
const NEW_KEY = 'npx tidewatch keys create dashboards --scope read';

/** Help for clients that sent no API key or a wrong one: where to find a key. */
const WHERE_KEYS_ARE =
  'The first start keeps an admin key in the file `admin-key` of its data directory: `.tidewatch`, `.tidewatch-stack`, or what TIDEWATCH_DATA_DIR names. `tidewatch keys create` makes others; their texts are shown once.';

/** Help for each problem code; a new code must be added here. */
export const PROBLEM_HELP: Readonly<Record<ProblemCode, ProblemHelp>> = {
  key_missing: {
    remedy: `Send a key in the header X-API-Key, or as a bearer token. ${WHERE_KEYS_ARE}`,
    example: 'KEY="$(cat .tidewatch/admin-key)"; curl -H "X-API-Key: $KEY" "$TW/api/v1/services"',
  },
  key_invalid: {
    remedy: `Check that the whole text of the key is sent, without quotes or line ends, and to the installation that made it. ${WHERE_KEYS_ARE}`,
    example: WITH_KEY,
  },
  key_expired: { remedy: 'Make a new key, or rotate keys before they expire.', example: NEW_KEY },
  key_revoked: { remedy: 'Use another key. A revoked one does not come back.', example: NEW_KEY },
  session_ended: {
    remedy: 'Sign in again, with a key or with a new sign-in link. Programs send a key and need no session.',
    example: SIGN_IN,
  },
  sign_in_link_invalid: {
    remedy:
      'Check that the whole address was opened, and at the installation that made the link. Ask for a new link, or sign in with a key.',
    example: SIGN_IN,
  },
  sign_in_link_expired: { remedy: 'Ask for a new link, or sign in with a key.', example: SIGN_IN },
  sign_in_link_used: {
    remedy:
      'Ask for a new link, or sign in with a key. If nobody who should have used the link did, end the sessions that you do not know.',
    example: SIGN_IN,
  },
  sign_on_expired: {
    remedy:
      'Begin the sign-in again, in the browser and at the address at which it is to end, and complete it within ten minutes.',
    example: SIGN_ON,
  },
  sign_on_refused: {
    remedy:
      'Sign in again. If that is refused, too, the log of the query API has the reason in "a sign-in with the identity provider was refused".',
    example: SIGN_ON,
  },
  sign_on_not_permitted: {
    remedy:
      'Ask an administrator for a group that has access. Operators map groups to scopes in the file of TIDEWATCH_OIDC_GROUPS_FILE.',
    example: 'TIDEWATCH_OIDC_GROUPS_FILE=/etc/tidewatch/groups.yaml npm start',
  },
  key_sign_in_off: {
    remedy:
      'Sign in with the identity provider. Programs send the key in X-API-Key. TIDEWATCH_KEY_SIGN_IN=on lets keys sign in again.',
    example: WITH_KEY,
  },
  scope_missing: {
    remedy: 'Use a key with the scope that the endpoint names. An admin of the organization can make one.',
    example: 'npx tidewatch keys create deploy --scope write',
  },
  confirmation_needed: {
    remedy:
      'Send the key of the session to POST /api/v1/session/confirm, or sign in again with the identity provider, then send the request again.',
    example: SIGN_IN,
  },
  cross_site: {
    remedy:
      'Open the console at the address of Tidewatch itself. Behind a proxy set TIDEWATCH_PUBLIC_URL, or TIDEWATCH_TRUST_PROXY. Programs send a key, and no cookie.',
    example: WITH_KEY,
  },
  host_not_allowed: {
    remedy: 'Report under a name that matches the hosts of the key, or use a key for this host.',
    example: 'npx tidewatch keys create web-hosts --scope ingest --host "web-*"',
  },
  not_found: {
    remedy:
      'Check the id, and that the key belongs to the organization of the object. A path has one spelling: lower case, no double or trailing slash, nothing percent-encoded.',
    example: 'curl -H "X-API-Key: $KEY" "$TW/api/v1/alerts?status=all"',
  },
  method_not_allowed: {
    remedy: 'Use one of the methods that the header Allow lists.',
    example: 'curl -i -X OPTIONS "$TW/api/v1/alerts/rules"',
  },
  not_acceptable: {
    remedy: 'Send an Accept that the endpoint can answer, or none.',
    example: 'curl -N -H "X-API-Key: $KEY" -H "Accept: text/event-stream" "$TW/api/v1/events"',
  },
  request_timeout: {
    remedy:
      'Send the whole request within 30 seconds; send large payloads compressed or in several requests.',
    example:
      'gzip -c samples.json | curl --data-binary @- -H "Content-Encoding: gzip" -H "Content-Type: application/json" -H "X-API-Key: $KEY" "$TW/api/v1/ingest"',
  },
  conflict: {
    remedy: 'Read the object again: `detail` and `errors` say what its state does not allow.',
    example: 'curl -H "X-API-Key: $KEY" "$TW/api/v1/alerts/rules/$ID"',
  },
  alert_resolved: {
    remedy: 'Nothing is to be done: the alert is over. A comment can still be added.',
    example: 'curl -H "X-API-Key: $KEY" "$TW/api/v1/alerts?status=active"',
  },
  last_admin_key: {
    remedy: 'Create another admin key, then revoke this one.',
    example: 'npx tidewatch keys create second-admin --scope admin',
  },
  precondition_failed: {
    remedy: 'Read the object again, apply the change to what it is now, and send its new ETag as If-Match.',
    example: 'curl -i -H "X-API-Key: $KEY" "$TW/api/v1/alerts/rules/$ID" | grep -i etag',
  },
  payload_too_large: {
    remedy: 'Split the body into several requests. docs/limits.md has the sizes.',
    example:
      'split -l 500 samples.ndjson part- && for each in part-*; do curl --data-binary @$each -H "Content-Type: application/x-ndjson" -H "X-API-Key: $KEY" "$TW/api/v1/ingest"; done',
  },
  uri_too_long: {
    remedy:
      'Send fewer or shorter parameters; ask for many hosts or metrics in several requests or with POST /api/v1/query.',
    example:
      'curl -H "X-API-Key: $KEY" -H "Content-Type: application/json" -d \'{"metric": "cpu_percent"}\' "$TW/api/v1/query"',
  },
  unsupported_media_type: {
    remedy: 'Send the Content-Type that `detail` names.',
    example:
      'curl -H "Content-Type: application/json" -d @rule.json -H "X-API-Key: $KEY" "$TW/api/v1/alerts/rules"',
  },
  unsupported_content_encoding: {
    remedy: 'Compress with gzip, br, zstd or deflate, one of them, or not at all.',
    example:
      'gzip -c body.json | curl --data-binary @- -H "Content-Encoding: gzip" -H "Content-Type: application/json" -H "X-API-Key: $KEY" "$TW/api/v1/ingest"',
  },
  expectation_failed: {
    remedy: 'Leave the header Expect out.',
    example: 'curl -H "Expect:" -d @body.json "$TW/api/v1/ingest"',
  },
  validation_failed: {
    remedy:
      'Correct what `errors` lists: `in` and `path` say where each fault is, `message` what is allowed there.',
    example: 'curl -H "X-API-Key: $KEY" "$TW/api/v1/alerts?status=active&limit=100"',
  },
  unsupported: {
    remedy: 'Leave out what `errors` names; the documentation says what this version does.',
    example: 'curl "$TW/openapi.json"',
  },
  limit_reached: {
    remedy: 'Delete what is not needed, or ask the operator to raise the setting that `detail` names.',
    example: 'TIDEWATCH_RULES_LIMIT=20000 npm start',
  },
  series_limit: {
    remedy:
      'Find metrics or parts whose names change, such as those with ids in them, or ask the operator to raise the limit. With `Prefer: handling=lenient` known series are taken.',
    example: 'TIDEWATCH_SERIES_LIMIT=2000000 npm start',
  },
  rate_limited: {
    remedy: `${AGAIN} Send several payloads in one request, or ask for a key with a higher limit.`,
    example: BACK_OFF,
  },
  samples_limited: {
    remedy: `${AGAIN} Send samples less often, or ask the operator to raise the limit.`,
    example: 'TIDEWATCH_SAMPLES_PER_MINUTE=1000000 npm start',
  },
  too_many_refusals: {
    remedy: 'Correct the key that is sent from this address; right keys are served meanwhile.',
    example: WITH_KEY,
  },
  export_running: {
    remedy: `${AGAIN} Run exports of an organization one after the other, and read them to their end.`,
    example: 'curl --retry 10 -H "X-API-Key: $KEY" "$TW/api/v1/alerts?status=all&format=csv"',
  },
  preview_running: {
    remedy: `${AGAIN} Run previews one after the other.`,
    example:
      'curl --retry 10 -H "Content-Type: application/json" -d @preview.json -H "X-API-Key: $KEY" "$TW/api/v1/alerts/rules/preview"',
  },
  investigations_queued: {
    remedy: `${AGAIN} Cancel investigations that are not needed any more.`,
    example: 'curl -H "X-API-Key: $KEY" "$TW/api/v1/investigations?status=queued"',
  },
  too_many_streams: {
    remedy:
      'Close streams that are not needed, or share one stream between those who read the same; then connect again.',
    example: 'curl -N -H "X-API-Key: $KEY" "$TW/api/v1/events?types=alert.fired,alert.resolved"',
  },
  organization_busy: { remedy: `${AGAIN} Send fewer requests at once.`, example: BACK_OFF },
  headers_too_large: {
    remedy: 'Send fewer or shorter header fields, such as cookies of other programs on the same host name.',
    example: WITH_KEY,
  },
  bad_request: {
    remedy:
      'Send HTTP/1.1 with one Host, one length and no line breaks in fields. Proxies in between are the usual cause.',
    example: 'curl -v --http1.1 "$TW/healthz"',
  },
  internal_error: {
    remedy:
      'Send the request again once; if it fails again, look for its `request_id` in the log of the service, and report it.',
    example: 'grep "$REQUEST_ID" tidewatch.log',
  },
  bad_gateway: {
    remedy: 'Send the request again, where it may be sent twice. Look whether the service behind runs.',
    example: 'curl "$TW/readyz"',
  },
  identity_provider_unavailable: {
    remedy: `${AGAIN} Sessions that were opened before go on, and keys work. The log of the query API has the reason.`,
    example: 'curl "$TIDEWATCH_OIDC_ISSUER/.well-known/openid-configuration"',
  },
  ingest_unavailable: { remedy: `${AGAIN} Agents do so by themselves.`, example: 'curl "$TW/readyz"' },
  database_unavailable: { remedy: `${AGAIN} /readyz says what is missing.`, example: 'curl "$TW/readyz"' },
  secrets_unreadable: {
    remedy:
      'Give the process the TIDEWATCH_SECRET_KEY that it had, or enter the secrets of the channel again.',
    example:
      'curl -X PATCH -H "Content-Type: application/json" -d \'{"config": {"webhook_url": "…"}}\' -H "X-API-Key: $KEY" "$TW/api/v1/channels/$ID"',
  },
  storage_full: {
    remedy: 'Free space on the disk of the data, or keep data for a shorter time. Ingest resumes by itself.',
    example: 'df -h .tidewatch',
  },
  overloaded: {
    remedy: `${AGAIN} If it goes on, the installation needs another process of this service.`,
    example: BACK_OFF,
  },
  streams_full: {
    remedy: `${AGAIN} More processes of the query API hold more streams.`,
    example: 'curl -N -H "X-API-Key: $KEY" "$TW/api/v1/events"',
  },
  shutting_down: {
    remedy: `${AGAIN} Another process, or the same one after its restart, answers it.`,
    example: 'curl --retry 10 --retry-connrefused "$TW/readyz"',
  },
};

/** An example response with the problem, for the API document and the page of the problem. */
export function problemExample(code: ProblemCode): ProblemDocument {
  const { status, title, description } = PROBLEMS[code];
  return {
    type: `/problems/${code}`,
    title,
    status,
    detail: description,
    instance: '/api/v1/services',
    code,
    request_id: '0197f3a1-c0de-7b3c-9a51-d2e4f6a80b1c',
    errors: code === 'validation_failed' ? [VALIDATION_EXAMPLE] : [],
  };
}

const VALIDATION_EXAMPLE = {
  in: 'body',
  path: '/metrics/cpu_percent',
  code: 'not_finite',
  message: 'Must be a finite number.',
} as const;
