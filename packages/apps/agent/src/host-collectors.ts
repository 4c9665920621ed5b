import type { HostCollector } from './collectors/collector.ts';
import { commandRunner } from './collectors/run-command.ts';
import { linuxCollectors } from './linux/linux-collectors.ts';
import { createPortableCollector } from './portable-collector.ts';

/** The collectors for a platform, in Node's name of it, besides that of containers. */
export function hostCollectors(platform: NodeJS.Platform): HostCollector[] {
  if (platform === 'linux')
    return linuxCollectors({ procRoot: '/proc', sysRoot: '/sys', root: '/', run: commandRunner() });
  return [createPortableCollector(platform === 'win32' ? 'C:' : '/')];
}
