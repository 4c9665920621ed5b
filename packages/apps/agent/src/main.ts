import { hostname } from 'node:os';
import type { Lifecycle } from '@tidewatch/runtime/process/lifecycle';
import { run } from '@tidewatch/runtime/process/run';
import { mergeSignals } from '@tidewatch/runtime/process/signals';
import { keepSecretPrivate } from '@tidewatch/runtime/settings/secret-files';
import { createLogger } from '@tidewatch/runtime/telemetry/logger';
import { createAgent } from './agent.ts';
import { UPDATE_KEY, VERSION } from './built.ts';
import { checkService } from './configuration/check-service.ts';
import { parseCommandLine, USAGE } from './configuration/command-line.ts';
import { type AgentOptions, readOptions } from './configuration/options.ts';
import { openReader } from './open-reader.ts';
import { releaseMemoryRegularly } from './release-memory.ts';
import { trustAuthorities } from './sending/authorities.ts';
import { type BufferBounds, createPayloadBuffer, type PayloadBuffer } from './sending/buffer.ts';
import { gatheringAt } from './sending/gathering.ts';
import { fixedKey, keyOfFile } from './sending/key-source.ts';
import { createPost, type PostOptions } from './sending/post-payloads.ts';
import { proxiesFor } from './sending/proxy.ts';
import { createSender, type Sender } from './sending/sender.ts';

const MEMORY_BOUNDS: BufferBounds = { payloads: 3_600, bytes: 64 * 1024 * 1024 };
/** Of compressed payloads: some three days of a large host at 10 s. */
const DISK_BOUNDS: BufferBounds = { payloads: 30_000, bytes: 128 * 1024 * 1024 };

const logger = createLogger({
  name: 'agent',
  level: process.env.TIDEWATCH_LOG_LEVEL || 'info',
  pretty: process.stdout.isTTY === true,
});

/** The options of the arguments, the environment and the file of settings. */
async function readAllOptions(): Promise<AgentOptions> {
  const args = process.argv.slice(2);
  const { config, help, version } = parseCommandLine(args);
  if (config === undefined || help || version) return readOptions(args, process.env, hostname());
  // Loaded only where it is needed, because it takes memory.
  const { readConfigFile } = await import('./configuration/config-file.ts');
  return readOptions(args, process.env, hostname(), readConfigFile(config));
}

/** Prints a text that was asked for, and ends the process. */
function print(text: string): never {
  process.stdout.write(text);
  process.exit(0);
}

/** A buffer on disk, if a folder is configured; one sample alone is never left there. */
async function openBuffer(
  { bufferDirectory, once, command, intervalMs }: AgentOptions,
  lifecycle: Lifecycle,
): Promise<PayloadBuffer> {
  if (bufferDirectory === null || once || command === 'check') return createPayloadBuffer(MEMORY_BOUNDS);
  // Loaded only where it is needed, because it takes memory.
  const { lockFolder } = await import('./sending/folder-lock.ts');
  const { openDiskBuffer } = await import('./sending/disk-buffer.ts');
  const lock = await lockFolder(bufferDirectory, `${process.pid}-${Date.now()}`, logger);
  lifecycle.defer('buffer lock', () => lock.release());
  return openDiskBuffer(bufferDirectory, DISK_BOUNDS, logger, gatheringAt(intervalMs).payloads);
}

/** How the agent connects to the service. */
async function connectionOf({ url, clientCertificate }: AgentOptions): Promise<PostOptions> {
  const connection = { url, proxies: proxiesFor(url, process.env), clock: Date.now, timeoutMs: 10_000 };
  if (clientCertificate === null) return connection;
  const { readClientCertificate } = await import('./sending/client-certificate.ts');
  return { ...connection, certificate: readClientCertificate(clientCertificate.cert, clientCertificate.key) };
}

/** Lets an update to this version be kept. */
async function recordFirstSent({ bufferDirectory, once }: AgentOptions): Promise<void> {
  if (bufferDirectory === null || once) return;
  try {
    const { recordSent } = await import('./update/pending-update.ts');
    recordSent(bufferDirectory, VERSION);
  } catch (error) {
    logger.warn({ err: error }, 'could not record that a payload was sent; an update is rolled back');
  }
}

async function openSender(options: AgentOptions, lifecycle: Lifecycle): Promise<Sender> {
  const { key, keyFile } = options;
  const sender = createSender({
    ...(await connectionOf(options)),
    keys: keyFile === null ? fixedKey(key) : keyOfFile(keyFile, key),
    logger,
    random: Math.random,
    buffer: await openBuffer(options, lifecycle),
    gathering: gatheringAt(options.intervalMs),
    onFirstAccepted: () => void recordFirstSent(options),
  });
  lifecycle.defer('sender', () => sender.close(2_000));
  return sender;
}

function openCollectors(options: AgentOptions, sender: Sender) {
  const agent = {
    version: VERSION,
    buffered: sender.buffered,
    counts: () => sender.counts,
    uptimeSeconds: () => process.uptime(),
    cpuMicroseconds: () => process.cpuUsage().user + process.cpuUsage().system,
    memoryBytes: () => process.memoryUsage.rss(),
  };
  return openReader(options, { logger, agent, parent: process });
}

async function check(options: AgentOptions): Promise<never> {
  const { url, key, keyFile } = options;
  const post = createPost(await connectionOf(options));
  const fault = await checkService({ url, key, post });
  if (fault === undefined)
    print(`The settings are valid, and ${url} accepts the key${keyFile === null ? '' : ` in ${keyFile}`}.\n`);
  process.stderr.write(`The settings are valid, but the agent cannot report: ${fault}\n`);
  process.exit(1);
}

async function update(options: AgentOptions): Promise<never> {
  // Loaded only where it is needed, because it takes memory.
  const { runUpdate } = await import('./update/run-update.ts');
  const { url, proxies, certificate } = await connectionOf(options);
  const built = { version: VERSION, publicKey: UPDATE_KEY };
  process.exit(await runUpdate(options, { url, proxies, certificate: certificate?.() }, built, process));
}

async function settle(options: AgentOptions): Promise<never> {
  const { runSettle } = await import('./update/run-update.ts');
  print(`${runSettle(options, process.execPath)}\n`);
}

// Stops the agent when the parent process, which started it with an IPC channel, disconnects.
if (process.connected) process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));

void run({
  process: mergeSignals(process, () => performance.now()),
  logger,
  async start(lifecycle) {
    const options = await readAllOptions();
    if (options.help) print(USAGE);
    if (options.version) print(`tidewatch-agent ${VERSION}\n`);
    if (options.command === 'settle') await settle(options);
    const { command, url, host, tags, intervalMs } = options;
    if (options.keyFile !== null && command === 'report') keepSecretPrivate(options.keyFile, logger);
    if (options.caFile !== null) await trustAuthorities(options.caFile);
    if (command === 'update') await update(options);
    const sender = await openSender(options, lifecycle);
    const collector = await openCollectors(options, sender);
    if (command === 'check') await check(options);
    const agent = createAgent({ collector, sender, logger, host, tags, intervalMs });
    lifecycle.defer('agent', () => agent.stop());
    await agent.start();
    if (!options.once) {
      logger.info({ host, url, intervalSeconds: intervalMs / 1_000 }, 'started reporting this machine');
      releaseMemoryRegularly();
      return;
    }
    agent.stop();
    await Promise.race([sender.flush(10_000), sender.keyRefused]);
    process.exit(sender.counts.accepted > 0 ? 0 : 1);
  },
});
