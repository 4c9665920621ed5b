import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceName } from '@tidewatch/runtime/process/backend-service';
import type { Lifecycle } from '@tidewatch/runtime/process/lifecycle';
import { makeFolder } from '@tidewatch/runtime/process/make-folder';
import { readConfig } from '@tidewatch/runtime/settings/config';
import type { Logger } from '@tidewatch/runtime/telemetry/logger';
import { keepPrivate } from '@tidewatch/standalone/data-directory/private-files';
import { prepareSecretKey } from '@tidewatch/standalone/data-directory/secret-key';
import { takeDirectory } from '@tidewatch/standalone/data-directory/take-directory';
import { migrateSettings } from '@tidewatch/standalone/migration/config';
import { migrateInstallation } from '@tidewatch/standalone/migration/migrate-installation';
import type { StackArguments } from './arguments.ts';
import type { StackConfig } from './config.ts';
import { type Launch, type Login, launchesOf } from './launches.ts';
import { endLeftovers } from './leftovers.ts';
import { createCrew } from './member.ts';
import { openParts, type StackParts } from './open-parts.ts';
import { freePort } from './parts/free-port.ts';
import { settingsOnly } from './service-environment.ts';
import { fileOf, SEALING_WRITER, startService } from './service-process.ts';
import { serviceSettings } from './service-settings.ts';
import { readStackFile, writeStackFile } from './stack-file.ts';

export interface StackOptions {
  config: StackConfig;
  counts: StackArguments;
  /** Variables for the services in addition to those that the stack sets. */
  environment: Readonly<Record<string, string>>;
  logger: Logger;
}

export interface RunningStack {
  url: string;
  newKey: string | null;
}

/** Starts the complete distributed topology on the lifecycle: parts, migration, services, proxy. */
export async function startStack(lifecycle: Lifecycle, options: StackOptions): Promise<RunningStack> {
  const { config, counts, logger } = options;
  const directory = config.dataDirectory;
  await lifecycle.open(
    'data directory',
    () => takeDirectory(directory, Date.now()),
    (release) => release(),
  );
  keepPrivate(directory, logger);
  const logs = join(directory, 'logs');
  makeFolder(logs);
  const left = readStackFile(directory);
  const programs = ['services/', SEALING_WRITER, 'tests/stack/src/proxy/main.ts'].map(fileOf);
  const ours = (line: string) => [directory, ...programs].some((path) => line.includes(path));
  const ended = left ? await endLeftovers(left, ours) : 0;
  if (ended > 0) logger.warn({ processes: ended }, 'ended processes that a killed stack had left running');

  const url = `http://${config.host}:${config.port}`;
  const publicUrls = { gateway: [] as string[], 'query-api': [] as string[] };
  const grpcUrls: string[] = [];
  let parts: StackParts | undefined;
  const crew = createCrew({
    restart: counts.restart,
    log: logger,
    sleep: (ms) => sleep(ms),
    onChange() {
      if (!parts) return;
      const { kafka, kafkaLogin, postgres, redis } = parts;
      writeStackFile(directory, {
        base_url: url,
        gateway_urls: publicUrls.gateway,
        processes: crew.processes(),
        kafka: { brokers: kafka, ...(kafkaLogin && { sasl: { mechanism: 'plain', ...kafkaLogin } }) },
        postgres: { url: postgres },
        redis: { url: redis },
      });
    },
  });
  lifecycle.defer('processes', () => crew.stop());
  parts = await openParts(crew, config, logs, logger);

  const secretKey = Buffer.from(prepareSecretKey(directory, config.secretKey)).toString('hex');
  const passwords: Record<Login, string> = {
    writer: secret(),
    evaluator: secret(),
    notifier: secret(),
    investigator: secret(),
    api: secret(),
  };
  const shared = {
    ...options.environment,
    TIDEWATCH_KAFKA_BROKERS: parts.kafka,
    ...(parts.kafkaLogin && {
      TIDEWATCH_KAFKA_SASL_MECHANISM: 'plain',
      TIDEWATCH_KAFKA_SASL_USERNAME: parts.kafkaLogin.username,
      TIDEWATCH_KAFKA_SASL_PASSWORD: parts.kafkaLogin.password,
    }),
    TIDEWATCH_LOG_LEVEL: config.logLevel,
  };
  const migrated = await migrateInstallation(
    readConfig(migrateSettings, {
      ...shared,
      TIDEWATCH_ADMIN_DATABASE_URL: parts.postgres,
      TIDEWATCH_WRITER_PASSWORD: passwords.writer,
      TIDEWATCH_EVALUATOR_PASSWORD: passwords.evaluator,
      TIDEWATCH_NOTIFIER_PASSWORD: passwords.notifier,
      TIDEWATCH_INVESTIGATOR_PASSWORD: passwords.investigator,
      TIDEWATCH_API_PASSWORD: passwords.api,
      TIDEWATCH_DATA_DIR: directory,
      TIDEWATCH_KAFKA_PARTITIONS: String(config.kafkaPartitions),
      ...(config.bootstrapKey && { TIDEWATCH_BOOTSTRAP_KEY: config.bootstrapKey }),
    }),
    logger,
    config.sampleLayout === undefined ? {} : { sampleLayout: config.sampleLayout },
  );

  const members: string[] = [];
  const postgres = parts.postgres;
  const serverAddress = async (role: ServiceName) => {
    const port = String(await freePort());
    const url = `http://127.0.0.1:${port}`;
    if (role === 'gateway') publicUrls.gateway.push(url);
    else publicUrls['query-api'].push(url);
    const address = { TIDEWATCH_HOST: '127.0.0.1', TIDEWATCH_PORT: port, TIDEWATCH_TRUST_PROXY: 'loopback' };
    if (role !== 'gateway' || config.otlpGrpcPort === undefined) return address;
    const grpcPort = String(await freePort());
    grpcUrls.push(`http://127.0.0.1:${grpcPort}`);
    return { ...address, TIDEWATCH_OTLP_GRPC_PORT: grpcPort };
  };
  const addService = async (role: ServiceName, { login, isServer, settings }: Launch, index: number) => {
    const name = `${role}-${index}`;
    const adminPort = await freePort();
    const adminUrl = `http://127.0.0.1:${adminPort}`;
    members.push(`${role}=${adminUrl}`);
    const env = settingsOnly(serviceSettings[role], {
      ...shared,
      ...(isServer && (await serverAddress(role))),
      ...settings,
      TIDEWATCH_DATABASE_URL: loginUrl(postgres, `tidewatch_${login}_login`, passwords[login]),
      TIDEWATCH_ADMIN_PORT: String(adminPort),
    });
    const seal = role === 'writer' ? config.sealIntervalMs : undefined;
    if (seal !== undefined) env.TIDEWATCH_TEST_SEAL_MS = String(seal);
    const main = fileOf(seal === undefined ? `services/${role}/src/main.ts` : SEALING_WRITER);
    const log = join(logs, `${name}.log`);
    await crew.add({
      role,
      name,
      adminUrl,
      start: (leaving) => startService({ name, main, env, log, readyUrl: `${adminUrl}/readyz`, leaving }),
    });
  };
  const launches = launchesOf(counts, { secretKey, redis: parts.redis });
  for (const role of Object.keys(launches) as ServiceName[]) {
    const launch = launches[role];
    const processes = Array.from({ length: launch.count }, (_, index) => index + 1);
    await Promise.all(processes.map((index) => addService(role, launch, index)));
  }
  await crew.add({
    role: 'proxy',
    name: 'proxy',
    start: (leaving) =>
      startService({
        leaving,
        name: 'proxy',
        main: fileOf('tests/stack/src/proxy/main.ts'),
        env: settingsOnly(serviceSettings.proxy, {
          ...shared,
          TIDEWATCH_HOST: config.host,
          TIDEWATCH_PORT: String(config.port),
          TIDEWATCH_PROXY_GATEWAYS: publicUrls.gateway.join(','),
          TIDEWATCH_PROXY_API: publicUrls['query-api'].join(','),
          TIDEWATCH_PROXY_MEMBERS: members.join(','),
          ...(config.otlpGrpcPort !== undefined && {
            TIDEWATCH_OTLP_GRPC_PORT: String(config.otlpGrpcPort),
            TIDEWATCH_PROXY_GRPC_GATEWAYS: grpcUrls.join(','),
          }),
        }),
        log: join(logs, 'proxy.log'),
        readyUrl: `${url}/readyz`,
      }),
  });
  return { url, newKey: migrated.newKey };
}

function secret(): string {
  return randomBytes(24).toString('base64url');
}

function loginUrl(admin: string, user: string, password: string): string {
  const url = new URL(admin);
  url.username = user;
  url.password = password;
  return url.href;
}
