import { fileSystemPercent, memoryPercent, swapPercent } from '@tidewatch/domain/host-metrics/host-formulas';
import { labelOf } from '../../series/sent-series.ts';
import type { AgentFamily } from './family.ts';
import { copy } from './formulas.ts';

/** Measurements of Telegraf's plugins for hosts, whose names are the beginnings of metrics. */
const MEASUREMENTS =
  /^(?:cpu|mem|swap|disk|diskio|net|netstat|nstat|processes|kernel|kernel_vmstat|system|interrupts|soft_interrupts|linux_sysctl_fs|temp|sensors|systemd_units|conntrack|wireless)_/;
/** Names of the Collector's exporter for remote write, which begin alike. */
const NOT_TELEGRAF =
  /^system_(?:cpu|memory|linux|paging|filesystem|disk|network)_|^process(?:es)?_(?:cpu_seconds|resident|virtual|open_fds|max_fds|start_time)/;

const COUNTERS =
  /^(?:diskio_(?:reads|writes|read_bytes|write_bytes|read_time|write_time|io_time|weighted_io_time|merged_reads|merged_writes)|net_(?:bytes_(?:sent|recv)|packets_(?:sent|recv)|err_(?:in|out)|drop_(?:in|out)|(?:icmp|icmpmsg|tcp|udp|udplite|ip)_\w+)|swap_(?:in|out)|kernel_(?:context_switches|interrupts|disk_pages_(?:in|out)|processes_forked)|kernel_vmstat_(?:pg|psw|oom)\w*|(?:soft_)?interrupts_(?:total|CPU\d+)|cpu_time_\w+)$/;
const NOT_COUNTERS = /^net_(?:tcp_(?:currestab|maxconn|rto\w+)|ip_(?:forwarding|defaultttl)|speed)$/;

/** Telegraf by its plugins for hosts, whatever output sends it: it always names the host in a tag, as others with such names do not. */
export const TELEGRAF: AgentFamily = {
  name: 'telegraf',
  matches: ({ name, protocol, labels }) =>
    MEASUREMENTS.test(name) &&
    !NOT_TELEGRAF.test(name) &&
    (protocol === 'influx' || labelOf(labels, 'host') !== undefined),
  joint: '_',
  folded: ['state'],
  merged: [],
  ofHost: [
    { names: /^cpu_/, label: 'cpu', value: 'cpu-total', others: 'omit' },
    { names: /^net_/, label: 'interface', value: 'all', others: 'keep' },
  ],
  ignored: ['mode', 'label'],
  places: [
    {
      names: /^disk_/,
      label: ['path', 'device'],
      kind: 'filesystem',
      texts: { fstype: 'type', device: 'device' },
    },
    { names: /^diskio_/, label: ['name'], kind: 'disk', texts: {} },
    { names: /^(?:net|wireless)_/, label: ['interface'], kind: 'network', texts: {} },
    { names: /^(?:temp|sensors)_/, label: ['sensor', 'feature'], kind: 'sensor', texts: { chip: 'chip' } },
    { names: /^systemd_units_/, label: ['name'], kind: 'unit', texts: {} },
    { names: /^(?:soft_)?interrupts_/, label: ['irq'], kind: 'interrupt', texts: { type: 'type' } },
  ],
  isCounter: (name) => COUNTERS.test(name) && !NOT_COUNTERS.test(name),
  omissionOf: (name) => (/^system_uptime_format$/.test(name) ? 'text' : undefined),
  derived: [
    {
      metric: 'cpu_percent',
      inputs: { idle: ['cpu_usage_idle'], waiting: ['cpu_usage_iowait'] },
      formula: ({ idle = 0, waiting = 0 }) => Math.max(0, 100 - idle - waiting),
    },
    {
      metric: 'memory_percent',
      inputs: { available: ['mem_available'], total: ['mem_total'] },
      formula: ({ available = 0, total = 0 }) => memoryPercent(available, total),
    },
    {
      metric: 'memory_percent',
      inputs: { available: ['mem_available_percent'] },
      formula: ({ available = 0 }) => memoryPercent(available, 100),
    },
    {
      metric: 'swap_percent',
      inputs: { free: ['swap_free'], total: ['swap_total'] },
      formula: ({ free = 0, total = 0 }) => swapPercent(free, total),
    },
    ...[1, 5, 15].map((minutes) => copy(undefined, `load_${minutes}`, `system_load${minutes}`)),
    copy(undefined, 'uptime_seconds', 'system_uptime'),
    {
      metric: 'used_percent',
      kind: 'filesystem',
      inputs: { used: ['disk_used'], free: ['disk_free'] },
      formula: ({ used = 0, free = 0 }) => fileSystemPercent(used, free),
    },
    copy('filesystem', 'used_percent', 'disk_used_percent'),
    copy('filesystem', 'inodes_used_percent', 'disk_inodes_used_percent'),
    copy('disk', 'read_bytes_per_second', 'diskio_read_bytes_per_second'),
    copy('disk', 'write_bytes_per_second', 'diskio_write_bytes_per_second'),
    copy('network', 'receive_bytes_per_second', 'net_bytes_recv_per_second'),
    copy('network', 'transmit_bytes_per_second', 'net_bytes_sent_per_second'),
    {
      metric: 'errors_per_second',
      kind: 'network',
      inputs: { errors: ['net_err_in_per_second', 'net_err_out_per_second'] },
      formula: ({ errors }) => errors,
    },
    {
      metric: 'drops_per_second',
      kind: 'network',
      inputs: { drops: ['net_drop_in_per_second', 'net_drop_out_per_second'] },
      formula: ({ drops }) => drops,
    },
  ],
};
