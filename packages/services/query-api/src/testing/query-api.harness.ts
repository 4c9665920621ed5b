import type { KeyRecord } from '@tidewatch/contracts/values/access';
import { newId } from '@tidewatch/contracts/values/id';
import { openStore, type Sql } from '@tidewatch/database/connection';
import { createSender } from '@tidewatch/destinations/sender';
import { DEFAULT_RETENTION } from '@tidewatch/domain/rollup/buckets';
import { createRandom } from '@tidewatch/harness/seeded-random';
import { openTestStore, type TestStoreOptions } from '@tidewatch/harness/store';
import { createAuthentication } from '@tidewatch/runtime/auth/authentication';
import { createApp } from '@tidewatch/runtime/http/app';
import { listen } from '@tidewatch/runtime/http/http-server';
import type { TokenBucket } from '@tidewatch/runtime/limits/token-bucket';
import { readConfig } from '@tidewatch/runtime/settings/config';
import {
  type OrganizationLimits,
  organizationLimitSettings,
} from '@tidewatch/runtime/settings/organization-limit-settings';
import { sessionSettings } from '@tidewatch/runtime/settings/session-settings';
import { createSilentLogger } from '@tidewatch/runtime/telemetry/logger';
import { createMetrics, type Metrics } from '@tidewatch/runtime/telemetry/metrics';
import { keySource } from '@tidewatch/store/keys/find';
import { createSecretBox } from '@tidewatch/store/secrets/secret-box';
import { openConsole } from '../console/console.ts';
import { createEventHub, type EventHub } from '../events/event-hub.ts';
import { createDatabaseShares } from '../http/database-share.ts';
import { MCP_ENDPOINTS } from '../mcp/mcp-route.ts';
import { createQueryApi, QUERY_API_ENDPOINTS } from '../query-api.ts';
import { createSessions } from '../sessions/sessions.ts';
import { openSignOn } from '../single-sign-on/open-sign-on.ts';
import { signOnSettings } from '../single-sign-on/sign-on-settings.ts';
import { knownKeys } from './known-keys.fixture.ts';

/** Limits of event streams that tests reach quickly. */
const EVENT_LIMITS = {
  gatherMs: 20,
  keepAliveMs: 200,
  checkKeysMs: 50,
  slowAtBytes: 64 * 1024,
  streams: 6,
  streamsOfOrganization: 5,
  streamsOfKey: 4,
};

const LIMITS = readConfig(organizationLimitSettings, {});
const SESSIONS = readConfig(sessionSettings, {});
const PUBLIC_URL = 'https://tidewatch.example';

export const SECRET_KEY = Buffer.alloc(32, 'k');

/** The time at which tests begin; the API's clock moves only as a test says. */
export const NOW = Date.UTC(2026, 10, 21, 14, 36, 28);

// biome-ignore lint/suspicious/noExplicitAny: tests check the body as it was received.
export type Body = Record<string, any>;

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  body: Body;
}

export interface CallOptions {
  /** The key of the request: `admin` by default, null for none. */
  key?: string | null;
  body?: unknown;
  headers?: object;
}

/** The query API over HTTP and a database of its own, with two organizations and no services. */
export interface ApiHarness {
  /** A connection as superuser. */
  sql: Sql;
  /** A connection as the query API, which sees only rows of the bound organization. */
  ownSql: Sql;
  /** The organization of the keys `admin`, `operator`, `reader` and `agent`; `stranger` belongs to another. */
  organizationId: string;
  /** API keys by their digest; a change applies at the next lookup. */
  keys: Map<string, KeyRecord>;
  events: EventHub;
  metrics: Metrics;
  url: string;
  clock: { now: number };
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
  get(path: string, options?: CallOptions): Promise<Answer>;
  /** The events about an object, in the order of their emission. */
  eventsOf(id: string): Promise<Body[]>;
  /** Stores a service of the organization, with an empty set of tags unless they are given. */
  service(id: string, host: string, tags?: Readonly<Record<string, string>>): Promise<void>;
  /** Reads all entries of a list, page by page; fails if pages differ in their total. */
  walk(
    path: string,
    noun: string,
    by: 'offset' | 'cursor',
    limit: number,
  ): Promise<{ seen: Body[]; total: number }>;
  close(): Promise<void>;
}

/**
 * The limits of an organization are the defaults, except for those in `limits`; samples are limited by `samples`. A console is served from
 * `consoleDirectory`, if there is one. `signOnVariables` are the settings of single sign-on.
 */
export async function openApi(
  limits: Partial<OrganizationLimits> = {},
  consoleDirectory?: string,
  samples?: TokenBucket,
  signOnVariables: Readonly<Record<string, string>> = {},
  storeOptions: TestStoreOptions = {},
): Promise<ApiHarness> {
  const admin = await openTestStore(storeOptions);
  const metrics = createMetrics();
  const shares = createDatabaseShares();
  const store = openStore({
    url: admin.database.apiUrl,
    bindsOrganization: true,
    shareOf: shares.shareOf,
  });
  shares.expose(metrics);
  const [mine, theirs] = [newId('org'), newId('org')];
  await admin.sql`insert into organizations (id, name) values (${mine}, 'mine'), (${theirs}, 'theirs')`;
  const clock = { now: NOW };
  const logger = createSilentLogger();
  const keys = knownKeys(mine, theirs);
  const stored = keySource(store.sql);
  const find = async (digest: string) => keys.get(digest) ?? stored.find(digest);
  const authentication = createAuthentication({
    keys: { find, revision: async () => keys.changes + (await stored.revision()) },
    clock: () => clock.now,
    logger,
  });
  const unnoted = { note: () => undefined, noteHosts: () => undefined, stop: async () => undefined };
  const { access, uses } = createSessions({
    sql: store.sql,
    keys: { authentication, uses: unnoted },
    config: { sessionIdleDays: SESSIONS.sessionIdleDays, publicUrl: PUBLIC_URL },
    clock: () => clock.now,
    holder: 'harness',
    metrics,
    logger,
  });
  const events = createEventHub({
    sql: store.sql,
    clock: () => clock.now,
    random: createRandom(1),
    metrics,
    logger,
    limits: EVENT_LIMITS,
  });
  const sender = createSender({
    allowPrivate: ['127.0.0.0/8'],
    email: null,
    publicUrl: null,
    clock: () => clock.now,
    timeoutMs: 2_000,
  });
  const console = openConsole({ hasConsole: true, consoleDirectory }, logger);
  const settings = readConfig(signOnSettings, signOnVariables);
  const signOn = openSignOn({ config: settings, clock: () => clock.now, sql: store.sql, logger });
  const parts = [...console.parts, ...signOn.parts];
  const router = createQueryApi({
    sql: store.sql,
    access,
    clock: () => clock.now,
    samples,
    newId,
    metrics,
    logger,
    events,
    console,
    signOn: signOn.signOn,
    secrets: createSecretBox(SECRET_KEY),
    sender,
    config: {
      retention: DEFAULT_RETENTION,
      publicUrl: PUBLIC_URL,
      consoleUrl: PUBLIC_URL,
      rateLimitPerMinute: 60_000,
      samplesPerMinute: samples === undefined ? null : 6_000,
      seriesLimit: 1_000_000,
      hostPartsLimit: 256,
      hostPartSeriesLimit: 2_000,
      starterRules: true,
      allowPrivateDestinations: ['127.0.0.0/8'],
      hasMailServer: false,
      limits: { ...LIMITS, ...limits },
      ...SESSIONS,
      hasKeySignIn: settings.hasKeySignIn,
      downloadDirectory: null,
      hasMcp: true,
      topology: 'embedded',
    },
  });
  const app = createApp({
    routers: [router],
    endpoints: [...QUERY_API_ENDPOINTS, ...MCP_ENDPOINTS, ...signOn.endpoints, ...console.endpoints],
    answerNotFound: console.answerNotFound,
    logger,
    metrics,
  });
  for (const part of parts) await part.start?.();
  const server = await listen({ app, host: '127.0.0.1', port: 0 });
  events.start();
  await uses.start?.();
  const call = (method: string, path: string, options: CallOptions = {}) =>
    send(server.url + path, method, options);
  const get = (path: string, options: CallOptions = {}) => call('GET', path, options);
  return {
    sql: admin.sql,
    ownSql: store.sql,
    url: server.url,
    organizationId: mine,
    keys,
    events,
    metrics,
    clock,
    call,
    get,
    async eventsOf(id) {
      const rows = await admin.sql<{ event: Body }[]>`
        select event from outbox where event ->> 'subject' = ${id} order by id`;
      return rows.map(({ event }) => event);
    },
    async service(id, host, tags = {}) {
      await admin.sql`insert into services (organization_id, id, host, tags, first_seen, status_since)
        values (${mine}, ${id}, ${host}, ${admin.sql.json(tags)}, ${NOW}, ${NOW})`;
    },
    walk: (path, noun, by, limit) => walk(get, path, noun, by, limit),
    async close() {
      await events.stop();
      for (const part of parts) await part.stop?.();
      await server.close();
      await uses.stop?.();
      metrics.close();
      await store.close();
      await admin.close();
    },
  };
}

async function send(
  url: string,
  method: string,
  { key = 'admin', body, headers }: CallOptions,
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    redirect: 'manual',
    headers: {
      ...(key === null ? {} : { 'X-API-Key': key }),
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = /[/+]json/.test(response.headers.get('content-type') ?? '');
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : {} };
}

async function walk(
  get: ApiHarness['get'],
  path: string,
  noun: string,
  by: 'offset' | 'cursor',
  limit: number,
) {
  const seen: Body[] = [];
  const totals = new Set<number>();
  let more = `limit=${limit}`;
  for (;;) {
    const { status, body } = await get(`${path}${path.includes('?') ? '&' : '?'}${more}`);
    if (status !== 200) throw new Error(`${path} answered ${status}`);
    const { pagination } = body;
    seen.push(...body[noun]);
    totals.add(pagination.total);
    if (totals.size > 1) throw new Error(`${path} returned totals ${[...totals].join(', ')}`);
    if (!pagination.has_more) {
      if (pagination.next_offset !== null || pagination.next_cursor !== null)
        throw new Error('the last page names a next one');
      return { seen, total: pagination.total as number };
    }
    more = `limit=${limit}&${by}=${by === 'offset' ? pagination.next_offset : pagination.next_cursor}`;
  }
}

/** The same with samples as rows, for tests that insert such. */
export const openApiOfRows = () => openApi({}, undefined, undefined, {}, { sampleLayout: 'rows' });
