import type { ContainerSource } from './docker/docker.ts';
import { createLinuxCollector } from './linux/collector.ts';
import { createPortableCollector } from './portable-collector.ts';
import type { Collector } from './reading.ts';

/** Creates the collector for a platform; `platform` is Node's name of it. */
export function openCollector(platform: NodeJS.Platform, containers: ContainerSource): Collector {
  const clock = Date.now;
  if (platform === 'linux') {
    return createLinuxCollector({
      procRoot: '/proc',
      sysRoot: '/sys',
      clock,
      monotonic: () => performance.now(),
      containers,
    });
  }
  return createPortableCollector({ clock, rootMount: platform === 'win32' ? 'C:' : '/', containers });
}
