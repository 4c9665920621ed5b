import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { openKafka } from '@tidewatch/bus/kafka/connection';
import { openStore, type Store } from '@tidewatch/database/connection';
import { type CuttingProxy, startCuttingProxy } from '@tidewatch/harness/cutting-proxy';
import { PROGRAM_ENVIRONMENT } from '@tidewatch/harness/program-environment';
import { readConfig } from '@tidewatch/runtime/settings/config';
import { createSilentLogger } from '@tidewatch/runtime/telemetry/logger';
import { fileOf, SEALING_WRITER } from '@tidewatch/stack/service-process';
import { migrateSettings } from '@tidewatch/standalone/migration/config';
import { migrateInstallation } from '@tidewatch/standalone/migration/migrate-installation';
import type { SampleLayout } from '@tidewatch/store/sample-log/sample-layout';
import type { Admin, Kafka } from 'kafkajs';
import type { Parts } from './parts.ts';
import { createService, type Service, type ServiceRole } from './service.ts';
import { openSqlReader, type SqlReader } from './sql-reader.ts';

/** How an installation differs from the default of one process of each role and 8 partitions. */
export interface InstallationShape {
  partitions?: number;
  writers?: number;
  evaluators?: number;
  /** The number of investigators; none by default. */
  investigators?: number;
  /** How the database keeps samples, if not as new databases of the product do. */
  sampleLayout?: SampleLayout | undefined;
  /** How often writers seal a log of samples, ms. Default two seconds. */
  sealIntervalMs?: number;
  /** How much older the samples of the load are than usual, ms. */
  loadAgeMs?: number;
  /** Further environment variables of every service. */
  environment?: Readonly<Record<string, string>>;
  /** Services that are not started with the installation. */
  without?: readonly ServiceRole[];
}

/** A Tidewatch installation with its own database and topics, on servers that other installations may share. */
export interface Installation {
  key: string;
  prefix: string;
  /** A connection as superuser, for checks and faults. */
  store: Store;
  /** The address of the database as superuser. */
  adminUrl: string;
  /** A session of a login for tools of users. */
  reader: SqlReader;
  kafka: Kafka;
  admin: Admin;
  services: Service[];
  /** Ids of published events that were deleted from their topic. */
  emptiedEvents: Set<string>;
  of(role: ServiceRole): Service[];
  /** The first service of a role. */
  one(role: ServiceRole): Service;
  /** Adds a service without starting it; `main` is run instead of the role's own script. */
  add(
    role: ServiceRole,
    options?: { main?: string; env?: Readonly<Record<string, string>> },
  ): Promise<Service>;
  /** Returns the proxy between the services of a role and PostgreSQL. */
  proxy(role: ServiceRole): CuttingProxy;
  /** The address of the database for services of a role without the proxy. */
  directUrl(role: ServiceRole): string;
  /** Creates missing topics, as the migration step does. */
  migrate(): Promise<void>;
  close(): Promise<void>;
}

const LOGINS = {
  gateway: 'api',
  'query-api': 'api',
  writer: 'writer',
  evaluator: 'evaluator',
  investigator: 'investigator',
} as const;
const ROLES = ['writer', 'evaluator', 'investigator', 'gateway', 'query-api'] as const;
const SEAL_INTERVAL_MS = 2_000;
/** The password of all database roles: roles belong to the server, so all installations of a run share them. */
const PASSWORD = randomBytes(16).toString('hex');

/** Creates the database and the topics, and starts the services. */
export async function openInstallation(
  parts: Parts,
  name: string,
  shape: InstallationShape,
): Promise<Installation> {
  const directory = join(parts.home, name);
  mkdirSync(directory, { recursive: true });
  const database = name.replaceAll('-', '_');
  const server = openStore({ url: parts.postgres.url('postgres'), max: 1, searchPath: 'public' });
  await server.sql.unsafe(`create database ${database}`);
  await server.close();
  const key = `faults-${randomBytes(24).toString('hex')}`;
  const shared = {
    ...PROGRAM_ENVIRONMENT,
    TIDEWATCH_KAFKA_BROKERS: parts.kafka.brokers,
    TIDEWATCH_KAFKA_TOPIC_PREFIX: `${name}.`,
    TIDEWATCH_REDIS_URL: parts.redis.url,
    TIDEWATCH_SECRET_KEY: randomBytes(32).toString('hex'),
    TIDEWATCH_RATE_LIMIT_PER_MINUTE: '10000000',
    TIDEWATCH_TEST_SEAL_MS: String(shape.sealIntervalMs ?? SEAL_INTERVAL_MS),
    ...shape.environment,
  };
  const migrate = async () => {
    await migrateInstallation(
      readConfig(migrateSettings, {
        ...shared,
        TIDEWATCH_ADMIN_DATABASE_URL: parts.postgres.url(database),
        TIDEWATCH_WRITER_PASSWORD: PASSWORD,
        TIDEWATCH_EVALUATOR_PASSWORD: PASSWORD,
        TIDEWATCH_NOTIFIER_PASSWORD: PASSWORD,
        TIDEWATCH_INVESTIGATOR_PASSWORD: PASSWORD,
        TIDEWATCH_API_PASSWORD: PASSWORD,
        TIDEWATCH_DATA_DIR: directory,
        TIDEWATCH_BOOTSTRAP_KEY: key,
        TIDEWATCH_KAFKA_PARTITIONS: String(shape.partitions ?? 8),
      }),
      createSilentLogger(),
      shape.sampleLayout === undefined ? {} : { sampleLayout: shape.sampleLayout },
    );
  };
  await migrate();
  const directUrl = (role: ServiceRole) => {
    const url = new URL(parts.postgres.url(database));
    url.username = `tidewatch_${LOGINS[role]}_login`;
    url.password = PASSWORD;
    return url.href;
  };
  const proxies = new Map<ServiceRole, CuttingProxy>();
  for (const role of ROLES) proxies.set(role, await startCuttingProxy(directUrl(role)));
  const proxy = (role: ServiceRole) => proxies.get(role) as CuttingProxy;
  const kafka = openKafka({ brokers: [parts.kafka.brokers], clientId: 'faults', log: () => undefined });
  const admin = kafka.admin();
  await admin.connect();
  const store = openStore({ url: parts.postgres.url(database), max: 3, statementTimeoutMs: 0 });
  const reader = await openSqlReader(store.sql, parts.postgres.url(database), PASSWORD);
  const services: Service[] = [];

  const installation: Installation = {
    key,
    prefix: `${name}.`,
    store,
    adminUrl: parts.postgres.url(database),
    reader,
    kafka,
    admin,
    services,
    proxy,
    directUrl,
    migrate,
    emptiedEvents: new Set(),
    of: (role) => services.filter((service) => service.role === role),
    one(role) {
      const found = services.find((service) => service.role === role);
      if (!found) throw new Error(`there is no ${role}`);
      return found;
    },
    async add(role, options = {}) {
      const place = services.filter((service) => service.role === role).length + 1;
      const service = await createService({
        main: options.main ?? fileOf(role === 'writer' ? SEALING_WRITER : `services/${role}/src/main.ts`),
        role,
        name: `${role}-${place}`,
        log: join(directory, `${role}-${place}.log`),
        env: { ...shared, TIDEWATCH_DATABASE_URL: proxy(role).url, ...options.env },
      });
      services.push(service);
      return service;
    },
    async close() {
      await Promise.all(services.map((service) => service.stop()));
      await admin.disconnect();
      await reader.close();
      await store.close();
      for (const each of proxies.values()) await each.close();
    },
  };
  const counts = {
    writer: shape.writers ?? 1,
    evaluator: shape.evaluators ?? 1,
    gateway: 1,
    'query-api': 1,
    investigator: shape.investigators ?? 0,
  };
  try {
    for (const role of ROLES)
      for (let place = 0; place < counts[role]; place += 1) await installation.add(role);
    // Waits for all services: one that is still starting when another fails could not be stopped.
    const starting = services
      .filter(({ role }) => !shape.without?.includes(role))
      .map((service) => service.start());
    for (const outcome of await Promise.allSettled(starting))
      if (outcome.status === 'rejected') throw outcome.reason;
  } catch (error) {
    await installation.close();
    throw error;
  }
  return installation;
}
