import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { makeFolder } from '@tidewatch/runtime/process/make-folder';
import { partEnvironment } from '../service-environment.ts';
import { freePort } from './free-port.ts';
import { classArguments } from './kafka-classes.ts';
import type { KafkaDistribution } from './kafka-distribution.ts';
import { accepts, type NativeProcess, startNative } from './native-process.ts';

export interface KafkaBroker extends NativeProcess {
  /** The address of the broker, such as `127.0.0.1:40123`. */
  brokers: string;
}

export interface KafkaLogin {
  username: string;
  password: string;
}

export interface KafkaBrokerOptions {
  distribution: KafkaDistribution;
  /** The folder for configuration, log and data, which is kept for later starts. */
  home: string;
  /** The port on which the broker listens; a free one by default. */
  port?: number;
  controllerPort?: number;
  /** The login by PLAIN of clients, the broker and its controller; none by default. */
  login?: KafkaLogin;
  /** Broker settings that are added to the defaults or replace them. */
  properties?: Readonly<Record<string, string>>;
  /** The id of the cluster; a new one by default. */
  clusterId?: string;
  /** The max heap in Java's notation; 512m by default. */
  heap?: string;
  /** Further arguments of the command that formats the storage, such as initial users. */
  formatArguments?: readonly string[];
  /** Aborts the start. */
  leaving?: AbortSignal;
}

/** Runs a program without blocking the event loop, so that other servers start meanwhile. */
const run = promisify(execFile);
type Failed = Error & { stdout: string; stderr: string };

const START_WITHIN_MS = 90_000;
/** The time for an orderly end, in which Java writes an archive of classes, ms. */
const RECORD_WITHIN_MS = 60_000;
const HEAP = '512m';

/** Starts one broker in KRaft mode that is also the controller, on 127.0.0.1 and by default without encryption. */
export async function startKafkaBroker(options: KafkaBrokerOptions): Promise<KafkaBroker> {
  const { distribution, leaving } = options;
  const shared = await classArguments(distribution.classes, async (home, archive) => {
    const flags = [`-XX:ArchiveClassesAtExit=${archive}`];
    const broker = await startWith({ distribution, home, ...(leaving && { leaving }) }, { broker: flags });
    await broker.stop(RECORD_WITHIN_MS);
  });
  return startWith(options, { tool: shared, broker: shared });
}

/** Further arguments of Java for the tool that formats the storage, and for the broker. */
interface JavaFlags {
  tool?: readonly string[];
  broker: readonly string[];
}

async function startWith(options: KafkaBrokerOptions, flags: JavaFlags): Promise<KafkaBroker> {
  const { home, distribution } = options;
  const port = options.port ?? (await freePort());
  const controllerPort = options.controllerPort ?? (await freePort());
  const data = join(home, 'data');
  makeFolder(data);
  const properties = join(home, 'server.properties');
  const lines = Object.entries({
    ...propertiesOf(port, controllerPort, data),
    ...(options.login && loginProperties(port, controllerPort, options.login)),
    ...options.properties,
  });
  // The file may contain a password, and so may one that an earlier start left, so its mode is set first.
  writeFileSync(properties, '', { mode: 0o600 });
  chmodSync(properties, 0o600);
  writeFileSync(properties, lines.map(([name, value]) => `${name}=${value}\n`).join(''));
  writeFileSync(join(home, LOGGING_FILE), LOGGING);
  if (!existsSync(join(data, 'meta.properties'))) await formatStorage(options, properties, flags.tool ?? []);
  const broker = await startNative({
    name: 'Kafka',
    command: distribution.java,
    args: [...javaArguments(options, flags.broker), 'kafka.Kafka', properties],
    log: join(home, 'kafka.log'),
    ownGroup: true,
    leaving: options.leaving,
    startWithinMs: START_WITHIN_MS,
    ready: () => accepts(port),
  });
  return { ...broker, brokers: `127.0.0.1:${port}` };
}

function javaArguments(options: KafkaBrokerOptions, flags: readonly string[]): string[] {
  return [
    ...flags,
    `-Xmx${options.heap ?? HEAP}`,
    '-XX:+UseSerialGC',
    '-XX:TieredStopAtLevel=1',
    `-Dlog4j2.configurationFile=${join(options.home, LOGGING_FILE)}`,
    '-cp',
    `${options.distribution.libraries}/*`,
  ];
}

async function formatStorage(
  options: KafkaBrokerOptions,
  properties: string,
  flags: readonly string[],
): Promise<void> {
  const id = options.clusterId ?? randomBytes(16).toString('base64url');
  const args = [
    ...javaArguments(options, flags),
    'kafka.tools.StorageTool',
    'format',
    `--cluster-id=${id}`,
    '-c',
    properties,
    ...(options.formatArguments ?? []),
  ];
  const env = partEnvironment(process.env);
  await run(options.distribution.java, args, {
    env,
    timeout: START_WITHIN_MS,
    signal: options.leaving,
  }).catch((error: Failed) => {
    throw new Error(`Kafka's storage could not be formatted:\n${error.stdout}${error.stderr}`);
  });
}

function propertiesOf(port: number, controllerPort: number, data: string): Record<string, string> {
  return {
    'process.roles': 'broker,controller',
    'node.id': '1',
    'controller.quorum.voters': `1@127.0.0.1:${controllerPort}`,
    listeners: `PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
    'advertised.listeners': `PLAINTEXT://127.0.0.1:${port}`,
    'controller.listener.names': 'CONTROLLER',
    'log.dirs': data,
    'num.network.threads': '2',
    'num.io.threads': '2',
    'auto.create.topics.enable': 'false',
    'unclean.leader.election.enable': 'false',
    'offsets.topic.num.partitions': '4',
    'offsets.topic.replication.factor': '1',
    'transaction.state.log.replication.factor': '1',
    'transaction.state.log.min.isr': '1',
    'share.coordinator.state.topic.replication.factor': '1',
    'share.coordinator.state.topic.min.isr': '1',
    'group.initial.rebalance.delay.ms': '0',
    'log.retention.hours': '24',
  };
}

/**
 * Makes all listeners require the login, including that of the controller, over which a client could change the whole
 * cluster.
 */
function loginProperties(
  port: number,
  controllerPort: number,
  { username, password }: KafkaLogin,
): Record<string, string> {
  const users = `username="${username}" password="${password}" user_${username}="${password}"`;
  const jaas = `org.apache.kafka.common.security.plain.PlainLoginModule required ${users};`;
  return {
    listeners: `CLIENTS://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}`,
    'advertised.listeners': `CLIENTS://127.0.0.1:${port}`,
    'listener.security.protocol.map': 'CLIENTS:SASL_PLAINTEXT,CONTROLLER:SASL_PLAINTEXT',
    'inter.broker.listener.name': 'CLIENTS',
    'sasl.enabled.mechanisms': 'PLAIN',
    'sasl.mechanism.inter.broker.protocol': 'PLAIN',
    'sasl.mechanism.controller.protocol': 'PLAIN',
    'listener.name.clients.plain.sasl.jaas.config': jaas,
    'listener.name.controller.plain.sasl.jaas.config': jaas,
  };
}

const LOGGING_FILE = 'log4j2.properties';
const LOGGING = `rootLogger.level = WARN
rootLogger.appenderRef.stdout.ref = STDOUT
appender.stdout.type = Console
appender.stdout.name = STDOUT
appender.stdout.layout.type = PatternLayout
appender.stdout.layout.pattern = %d{ISO8601} %p %c %m%n
`;
