import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type KafkaConnectionOptions, openKafka } from '@tidewatch/bus/kafka/connection';
import { createTopics } from '@tidewatch/bus/kafka/topics/topics';
import { newId } from '@tidewatch/contracts/values/id';
import { openStore } from '@tidewatch/database/connection';
import type { ServiceName } from '@tidewatch/runtime/process/backend-service';
import { freePort } from '@tidewatch/stack/parts/free-port';
import { type NativeProcess, startNative } from '@tidewatch/stack/parts/native-process';
import { fileOf, SEALING_WRITER } from '@tidewatch/stack/service-process';
import { bootstrapKey } from '@tidewatch/store/keys/bootstrap';
import type { GroupRole } from '@tidewatch/store/schema/provision';
import { brokersOfWorker } from './parts/brokers-of-worker.ts';
import { startDatabase, type TestDatabase } from './postgres.ts';

/** A service in a separate process. */
export interface ServiceProcess extends NativeProcess {
  role: ServiceName;
  /** The address for requests; only for gateway and query API. */
  url: string;
  /** The address of /healthz, /readyz and /metrics. */
  adminUrl: string;
  /** Everything that the service has logged. */
  log(): string;
}

export interface StartOptions {
  /** The path of the admin port that must answer 200 before the start counts as complete; `/readyz` by default. */
  until?: '/readyz' | '/healthz';
}

/** The distributed topology of one suite: a separate database, separate topics, and the processes that it starts. */
export interface Installation {
  database: TestDatabase;
  /** An admin key. */
  key: string;
  /** Creates another API key. */
  newKey(): Promise<string>;
  /** The prefix of the names of topics and consumer groups. */
  prefix: string;
  start(
    role: ServiceName,
    settings?: Readonly<Record<string, string>>,
    options?: StartOptions,
  ): Promise<ServiceProcess>;
  /** Ends all processes and releases everything. Throws if a service lacked a grant in the database. */
  close(): Promise<void>;
}

export interface InstallationOptions {
  /** A Kafka broker of the suite's own, which it may stop; by default that of the run. */
  brokers?: string;
  /** Settings of all services, such as Redis. */
  settings?: Readonly<Record<string, string>>;
  /** Number of partitions of the topic of samples; 6 by default. */
  partitions?: number;
}

/** The database role of each service, as in an installation, so that tests fail on a statement that lacks a grant. */
const GROUP_ROLE: Readonly<Record<ServiceName, GroupRole>> = {
  gateway: 'tidewatch_api',
  writer: 'tidewatch_writer',
  evaluator: 'tidewatch_evaluator',
  notifier: 'tidewatch_notifier',
  investigator: 'tidewatch_investigator',
  'query-api': 'tidewatch_api',
};
const PARTITIONS = 6;
const { TIDEWATCH_TEST_SEAL_MS: SEAL_MS } = process.env;
const START_WITHIN_MS = 60_000;

/** Opens an installation on the Kafka broker and the PostgreSQL server of the run. */
export async function openInstallation(options: InstallationOptions = {}): Promise<Installation> {
  const brokers = options.brokers ?? brokersOfWorker();
  const database = await startDatabase();
  const prefix = `test-${randomBytes(4).toString('hex')}.`;
  const folder = mkdtempSync(join(tmpdir(), 'tidewatch-installation-'));
  const started: ServiceProcess[] = [];
  const newKey = () => makeKey(database.adminUrl);
  const key = await newKey();
  await makeTopics({ brokers: brokers.split(',') }, prefix, options.partitions ?? PARTITIONS);

  const shared = {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('TIDEWATCH_'))),
    TIDEWATCH_KAFKA_BROKERS: brokers,
    TIDEWATCH_KAFKA_TOPIC_PREFIX: prefix,
    TIDEWATCH_SECRET_KEY: randomBytes(32).toString('hex'),
    ...(SEAL_MS ? { TIDEWATCH_TEST_SEAL_MS: SEAL_MS } : {}),
    ...options.settings,
  };

  return {
    database,
    key,
    newKey,
    prefix,
    async start(role, settings = {}, { until = '/readyz' } = {}) {
      const [port, adminPort] = [await freePort(), await freePort()];
      const adminUrl = `http://127.0.0.1:${adminPort}`;
      const log = join(folder, `${role}-${started.length + 1}.log`);
      const native = await startNative({
        name: role,
        command: process.execPath,
        args: [fileOf(role === 'writer' && SEAL_MS ? SEALING_WRITER : `services/${role}/src/main.ts`)],
        env: {
          ...shared,
          TIDEWATCH_DATABASE_URL: database.urlOfRole(GROUP_ROLE[role]),
          TIDEWATCH_PORT: String(port),
          TIDEWATCH_ADMIN_PORT: String(adminPort),
          ...settings,
        },
        log,
        ownGroup: true,
        startWithinMs: START_WITHIN_MS,
        ready: () => answers(`${adminUrl}${until}`),
      });
      const service: ServiceProcess = {
        ...native,
        role,
        adminUrl,
        url: `http://127.0.0.1:${port}`,
        log: () => readFileSync(log, 'utf8'),
      };
      started.push(service);
      return service;
    },
    async close() {
      await Promise.all(
        started.map(async (service) => {
          service.signal('SIGCONT');
          await service.stop();
        }),
      );
      const refused = started.filter((service) => service.log().includes('permission denied for '));
      await database.close();
      rmSync(folder, { recursive: true, force: true });
      if (refused.length > 0)
        throw new Error(
          `the database refused ${refused.map(({ role }) => role).join(', ')}: a grant is missing`,
        );
    },
  };
}

/** The response of a service's /readyz. */
export async function readinessOf(service: Pick<ServiceProcess, 'adminUrl'>) {
  const response = await fetch(`${service.adminUrl}/readyz`, { signal: AbortSignal.timeout(10_000) });
  const body = (await response.json()) as { status: string; reasons: string[]; role: string };
  return { code: response.status, ...body };
}

async function makeKey(adminUrl: string): Promise<string> {
  const key = `harness-${randomBytes(24).toString('hex')}`;
  const store = openStore({ url: adminUrl, max: 1 });
  await bootstrapKey(store.sql, { key, now: Date.now(), newId });
  await store.close();
  return key;
}

/** Creates the topics of Tidewatch on the brokers of `access`. */
export async function makeTopics(
  access: Pick<KafkaConnectionOptions, 'brokers' | 'tls' | 'sasl'>,
  prefix: string,
  partitions: number,
): Promise<void> {
  const admin = openKafka({ ...access, clientId: 'harness', log: () => undefined }).admin();
  await admin.connect();
  await createTopics(admin, { partitions, retentionHours: 1, prefix });
  await admin.disconnect();
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(2_000) })).ok;
  } catch {
    return false;
  }
}
