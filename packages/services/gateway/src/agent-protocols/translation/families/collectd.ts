import {
  busyPercent,
  fileSystemPercent,
  memoryPercent,
  swapPercent,
} from '@tidewatch/domain/host-metrics/host-formulas';
import type { AgentFamily } from './family.ts';
import { copy, scaled } from './formulas.ts';

/** collectd 5. Its plugin df writes `root` for `/`, and `var-lib` for `/var/lib`. */
export const COLLECTD: AgentFamily = {
  name: 'collectd',
  matches: ({ protocol }) => protocol === 'collectd',
  joint: '.',
  folded: ['type_instance'],
  merged: [{ names: /^collectd\.cpu\./, labels: ['plugin_instance'], gauges: 'mean' }],
  ignored: [],
  places: [
    {
      names: /^collectd\.df\./,
      label: ['plugin_instance'],
      kind: 'filesystem',
      texts: {},
      rename: (value) => (value === 'root' ? '/' : `/${value.replaceAll('-', '/')}`),
    },
    { names: /^collectd\.disk\./, label: ['plugin_instance'], kind: 'disk', texts: {} },
    { names: /^collectd\.interface\./, label: ['plugin_instance'], kind: 'network', texts: {} },
    { names: /^collectd\.sensors\./, label: ['plugin_instance'], kind: 'sensor', texts: {} },
  ],
  isCounter: () => false,
  omissionOf: () => undefined,
  derived: [
    {
      metric: 'cpu_percent',
      inputs: {
        idle: ['collectd.cpu.cpu.idle_per_second', 'collectd.cpu.cpu.wait_per_second'],
        total: ['collectd.cpu.cpu.*_per_second'],
      },
      formula: ({ idle = 0, total = 0 }) => busyPercent(idle, total),
    },
    {
      metric: 'cpu_percent',
      inputs: { idle: ['collectd.cpu.percent.idle', 'collectd.cpu.percent.wait'] },
      formula: ({ idle = 0 }) => busyPercent(idle, 100),
    },
    {
      metric: 'memory_percent',
      inputs: {
        used: ['collectd.memory.memory.used', 'collectd.memory.memory.slab_unrecl'],
        other: ['free', 'buffered', 'cached', 'slab_recl'].map((state) => `collectd.memory.memory.${state}`),
      },
      formula: ({ used = 0, other = 0 }) => memoryPercent(other, used + other),
    },
    {
      metric: 'swap_percent',
      inputs: {
        used: ['collectd.swap.swap.used'],
        free: ['collectd.swap.swap.free', 'collectd.swap.swap.cached'],
      },
      formula: ({ used = 0, free = 0 }) => swapPercent(free, free + used),
    },
    ...(
      [
        ['load_1', 'shortterm'],
        ['load_5', 'midterm'],
        ['load_15', 'longterm'],
      ] as const
    ).map(([metric, term]) => copy(undefined, metric, `collectd.load.load.${term}`)),
    copy(undefined, 'uptime_seconds', 'collectd.uptime.uptime'),
    {
      metric: 'used_percent',
      kind: 'filesystem',
      inputs: { used: ['collectd.df.df_complex.used'], free: ['collectd.df.df_complex.free'] },
      formula: ({ used = 0, free = 0 }) => fileSystemPercent(used, free),
    },
    scaled('filesystem', 'used_percent', 'collectd.df.percent_bytes.used', 1),
    copy('disk', 'read_bytes_per_second', 'collectd.disk.disk_octets.read_per_second'),
    copy('disk', 'write_bytes_per_second', 'collectd.disk.disk_octets.write_per_second'),
    copy('network', 'receive_bytes_per_second', 'collectd.interface.if_octets.rx_per_second'),
    copy('network', 'transmit_bytes_per_second', 'collectd.interface.if_octets.tx_per_second'),
    {
      metric: 'errors_per_second',
      kind: 'network',
      inputs: {
        errors: ['rx', 'tx'].map((way) => `collectd.interface.if_errors.${way}_per_second`),
      },
      formula: ({ errors }) => errors,
    },
  ],
};
