import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { WATCH_PARENT } from '@tidewatch/contracts/agent/parent-channel';
import { run } from '@tidewatch/runtime/process/run';
import { mergeSignals } from '@tidewatch/runtime/process/signals';
import { keepSecretPrivate } from '@tidewatch/runtime/settings/secret-files';
import { createLogger } from '@tidewatch/runtime/telemetry/logger';
import { createAgent } from './agent.ts';
import { createAgentCollector } from './collectors/agent-collector.ts';
import { chooseCollectors } from './collectors/choose-collectors.ts';
import { readCollectors } from './collectors/read-collectors.ts';
import { createContainerCollector } from './docker/container-collector.ts';
import { createDockerSource } from './docker/docker.ts';
import { hostCollectors } from './host-collectors.ts';
import { createPageSource } from './installation/page-source.ts';
import { createParentSource } from './installation/parent-source.ts';
import { createWatchingCollector } from './installation/watching-collector.ts';
import { readOptions, USAGE } from './options.ts';
import { trustAuthorities } from './sending/authorities.ts';
import { fixedKey, keyOfFile } from './sending/key-source.ts';
import { fetchByProxy } from './sending/proxy.ts';
import { createSender } from './sending/sender.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));

const logger = createLogger({
  name: 'agent',
  level: process.env.TIDEWATCH_LOG_LEVEL || 'info',
  pretty: process.stdout.isTTY === true,
});

// Stops the agent when the parent process, which started it with an IPC channel, disconnects.
if (process.connected) process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));

await run({
  process: mergeSignals(process, () => performance.now()),
  logger,
  async start(lifecycle) {
    const options = readOptions(process.argv.slice(2), process.env, hostname());
    if (options.help) {
      process.stdout.write(USAGE);
      process.exit(0);
    }
    if (options.version) {
      process.stdout.write(`tidewatch-agent ${version}\n`);
      process.exit(0);
    }
    const bounds = { payloads: 3_600, bytes: 64 * 1024 * 1024 };
    const { url, key, keyFile, host, tags, intervalMs } = options;
    if (keyFile !== null) keepSecretPrivate(keyFile, logger);
    if (options.caFile !== null) trustAuthorities(options.caFile);
    const proxied = await fetchByProxy(url, process.env);
    const sender = createSender({
      url,
      keys: keyFile === null ? fixedKey(key) : keyOfFile(keyFile, key),
      ...(proxied && { fetch: proxied }),
      logger,
      clock: Date.now,
      random: Math.random,
      bounds,
      timeoutMs: 10_000,
    });
    lifecycle.defer('sender', () => sender.close(2_000));
    const monotonic = () => performance.now();
    // The time limit of sources, so that one that hangs delays a sample for no longer.
    const timeoutMs = Math.max(1_500, Math.min(5_000, intervalMs / 2));
    const docker = createDockerSource({ socketPaths: options.dockerSockets, monotonic, timeoutMs, logger });
    const ofHost = await hostCollectors(process.platform, { monotonic, units: options.units });
    const ofAgent = createAgentCollector({
      version,
      buffered: sender.buffered,
      counts: () => sender.counts,
      failing: () => reader.failing(),
      uptimeSeconds: () => process.uptime(),
      cpuMicroseconds: () => process.cpuUsage().user + process.cpuUsage().system,
      memoryBytes: () => process.memoryUsage.rss(),
    });
    const all = [...ofHost, createContainerCollector(docker), ofAgent];
    const reader = readCollectors({
      collectors: chooseCollectors(all, options.disabled),
      clock: Date.now,
      monotonic,
      timeoutMs: timeoutMs + 500,
      logger,
    });
    const collector = createWatchingCollector({
      collector: reader,
      logger,
      clock: Date.now,
      monotonic,
      sources: options.watch.map((watched) =>
        watched === WATCH_PARENT
          ? createParentSource(process, timeoutMs)
          : createPageSource(watched, timeoutMs),
      ),
    });
    const agent = createAgent({ collector, sender, logger, host, tags, intervalMs });
    lifecycle.defer('agent', () => agent.stop());
    await agent.start();
    if (!options.once)
      logger.info({ host, url, intervalSeconds: intervalMs / 1_000 }, 'started reporting this machine');
    if (!options.once) return;
    agent.stop();
    await Promise.race([sender.flush(10_000), sender.keyRefused]);
    process.exit(sender.counts.accepted > 0 ? 0 : 1);
  },
});
