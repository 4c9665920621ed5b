import type { HostCollector } from './collectors/collector.ts';
import { commandRunner } from './collectors/run-command.ts';
import { linuxCollectors } from './linux/linux-collectors.ts';

export interface HostOptions {
  /** A clock that never goes back, ms. */
  monotonic(): number;
  /** Units of systemd that are reported whatever their state. */
  units: readonly string[];
}

/** The collectors for a platform, in Node's name of it, besides those of containers and of the agent. */
export async function hostCollectors(
  platform: NodeJS.Platform,
  options: HostOptions,
): Promise<HostCollector[]> {
  const roots = { procRoot: '/proc', sysRoot: '/sys', root: '/' };
  if (platform === 'linux') return linuxCollectors({ ...roots, ...options, run: commandRunner() });
  // Loaded only here, because it takes memory that Linux has no use for.
  const { createPortableCollector } = await import('./portable-collector.ts');
  return [createPortableCollector(platform === 'win32' ? 'C:' : '/')];
}
