import { WATCH_PARENT } from '@tidewatch/contracts/agent/watch-parent';
import type { Logger } from '@tidewatch/runtime/telemetry/logger';
import type { AgentFacts } from './collectors/agent-collector.ts';
import { createAgentCollector } from './collectors/agent-collector.ts';
import { chooseCollectors } from './collectors/choose-collectors.ts';
import { readCollectors } from './collectors/read-collectors.ts';
import type { AgentOptions } from './configuration/options.ts';
import { createContainerCollector } from './docker/container-collector.ts';
import { createDockerSource } from './docker/docker.ts';
import { hostCollectors } from './host-collectors.ts';
import { createPageSource } from './installation/page-source.ts';
import type { ParentChannel } from './installation/parent-source.ts';
import { createWatchingCollector } from './installation/watching-collector.ts';
import type { Collector } from './reading.ts';

export interface ReaderParts {
  logger: Logger;
  /** What the agent reports of itself, besides its failing collectors. */
  agent: Omit<AgentFacts, 'failing'>;
  /** The IPC channel to the process that started the agent. */
  parent: ParentChannel;
}

/**
 * Opens everything that the agent reads: the machine, its containers, the agent itself and the watched processes. Throws a
 * ConfigError if the options switch off a collector that does not exist.
 */
export async function openReader(
  options: AgentOptions,
  { logger, agent, parent }: ReaderParts,
): Promise<Collector> {
  const { units, hostRoot, bufferDirectory, once } = options;
  const monotonic = () => performance.now();
  // The time limit of sources, so that one that hangs delays a sample for no longer.
  const timeoutMs = Math.max(1_500, Math.min(5_000, options.intervalMs / 2));
  const docker = createDockerSource({ socketPaths: options.dockerSockets, monotonic, timeoutMs, logger });
  const all = [
    ...(await hostCollectors({ monotonic, units, hostRoot, bufferDirectory: once ? null : bufferDirectory })),
    createContainerCollector(docker),
    createAgentCollector({ ...agent, failing: () => reader.failing() }),
  ];
  const reader = readCollectors({
    collectors: chooseCollectors(all, options.disabled),
    clock: Date.now,
    monotonic,
    timeoutMs: timeoutMs + 500,
    logger,
  });
  const sources = await Promise.all(
    options.watch.map((watched) =>
      watched === WATCH_PARENT ? openParentSource(parent, timeoutMs) : createPageSource(watched, timeoutMs),
    ),
  );
  return createWatchingCollector({ collector: reader, logger, clock: Date.now, monotonic, sources });
}

/** Loaded only where it is needed, because the schemas of its messages take 3 MB of memory. */
async function openParentSource(parent: ParentChannel, timeoutMs: number) {
  const { createParentSource } = await import('./installation/parent-source.ts');
  return createParentSource(parent, timeoutMs);
}
