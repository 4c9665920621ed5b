import { join } from 'node:path';
import type { HostCollector } from './collectors/collector.ts';
import { commandRunner } from './collectors/run-command.ts';
import { failedUnitsIn } from './linux/failed-units.ts';
import { linuxCollectors } from './linux/linux-collectors.ts';

export interface HostOptions {
  /** A clock that never goes back, ms. */
  monotonic(): number;
  /** The folder at which the root of the host is mounted; `/` unless the agent runs in a container. */
  hostRoot: string;
  /** Units of systemd that are reported whatever their state. */
  units: readonly string[];
  /** Where facts are kept while the agent does not run; null for nowhere. */
  bufferDirectory: string | null;
}

/** The collectors for this platform, besides those of containers and of the agent. */
export async function hostCollectors(options: HostOptions): Promise<HostCollector[]> {
  const { hostRoot: root, bufferDirectory } = options;
  const roots = { procRoot: join(root, 'proc'), sysRoot: join(root, 'sys'), root, mountRoot: root };
  // The build of the executable knows the platform, and leaves out what follows.
  if (process.platform === 'linux') {
    const failedUnits = bufferDirectory === null ? undefined : failedUnitsIn(bufferDirectory);
    return linuxCollectors({ ...roots, ...options, run: commandRunner(), failedUnits });
  }
  // Loaded only here, because it takes memory that Linux has no use for.
  const { createPortableCollector } = await import('./portable-collector.ts');
  return [createPortableCollector(process.platform === 'win32' ? 'C:' : '/')];
}
