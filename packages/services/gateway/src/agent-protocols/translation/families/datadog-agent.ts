import { memoryPercent, swapPercent } from '@tidewatch/domain/host-metrics/host-formulas';
import type { AgentFamily } from './family.ts';
import { copy, scaled } from './formulas.ts';

/** Datadog's agent by its checks of the host. The mount point of a file system is its tag `device_name` where it has one. */
export const DATADOG_AGENT: AgentFamily = {
  name: 'datadog_agent',
  matches: ({ protocol, name }) => protocol === 'datadog' && name.startsWith('system.'),
  joint: '.',
  folded: ['state'],
  merged: [],
  ignored: [],
  places: [
    {
      names: /^system\.(?:disk|fs)\./,
      label: ['device'],
      kind: 'filesystem',
      texts: { device_name: 'device' },
    },
    { names: /^system\.io\./, label: ['device'], kind: 'disk', texts: { device_name: 'device' } },
    { names: /^system\.net\./, label: ['device', 'interface'], kind: 'network', texts: {} },
  ],
  isCounter: () => false,
  omissionOf: () => undefined,
  derived: [
    {
      metric: 'cpu_percent',
      inputs: { idle: ['system.cpu.idle'], waiting: ['system.cpu.iowait'] },
      formula: ({ idle = 0, waiting = 0 }) => Math.min(100, Math.max(0, 100 - idle - waiting)),
    },
    {
      metric: 'memory_percent',
      inputs: { available: ['system.mem.pct_usable'] },
      formula: ({ available = 0 }) => memoryPercent(available, 1),
    },
    {
      metric: 'swap_percent',
      inputs: { free: ['system.swap.pct_free'] },
      formula: ({ free = 0 }) => swapPercent(free, 1),
    },
    ...[1, 5, 15].map((minutes) => copy(undefined, `load_${minutes}`, `system.load.${minutes}`)),
    copy(undefined, 'uptime_seconds', 'system.uptime'),
    scaled('filesystem', 'used_percent', 'system.disk.in_use', 100),
    scaled('filesystem', 'inodes_used_percent', 'system.fs.inodes.in_use', 100),
    scaled('disk', 'read_bytes_per_second', 'system.io.rkb_s', 1_024),
    scaled('disk', 'write_bytes_per_second', 'system.io.wkb_s', 1_024),
    copy('network', 'receive_bytes_per_second', 'system.net.bytes_rcvd'),
    copy('network', 'transmit_bytes_per_second', 'system.net.bytes_sent'),
  ],
};
