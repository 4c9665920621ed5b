import {
  busyPercent,
  fileSystemPercent,
  memoryPercent,
  swapPercent,
} from '@tidewatch/domain/host-metrics/host-formulas';
import type { AgentFamily, DerivedMetric } from './family.ts';
import { copy } from './formulas.ts';

/** Counters of these names are untyped in the text format, and so without the suffix `_total`. */
const UNTYPED_COUNTERS =
  /^node_(?:netstat_(?!Tcp_CurrEstab|Tcp_(?:MaxConn|Rto)|Ip_(?:DefaultTTL|Forwarding)|Icmp_\w*Addr)|vmstat_(?:pg|psw|oom_kill|thp|numa|compact|allocstall|slabs_scanned|kswapd|drop_|unevictable_pgs|balloon|swap_ra)|intr$|forks$|context_switches$)/;

const diskRates: readonly DerivedMetric[] = [
  ['read_bytes_per_second', 'node_disk_read_bytes_per_second'],
  ['write_bytes_per_second', 'node_disk_written_bytes_per_second'],
].map(([metric, from]) => copy('disk', metric as string, from as string));

const networkRates: readonly DerivedMetric[] = [
  ['receive_bytes_per_second', 'node_network_receive_bytes_per_second'],
  ['transmit_bytes_per_second', 'node_network_transmit_bytes_per_second'],
  ['up', 'node_network_up'],
].map(([metric, from]) => copy('network', metric as string, from as string));

/** node_exporter of Prometheus, by whatever scrapes it. */
export const NODE_EXPORTER: AgentFamily = {
  name: 'node_exporter',
  matches: ({ name }) => name.startsWith('node_'),
  joint: '_',
  folded: [
    ...[
      'mode',
      'state',
      'collector',
      'type',
      'operation',
      'time_zone',
      'queue',
      'ip',
      'cause',
      'reason',
      'level',
    ],
    ...[
      'event',
      'counter',
      'channel',
      'clocksource',
      'command',
      'method',
      'stat',
      'controller',
      'csrow',
      'pool',
    ],
  ],
  merged: [{ names: /^node_/, labels: ['cpu', 'core', 'package'], gauges: 'mean' }],
  ignored: [
    ...['broadcast', 'address', 'operstate', 'ifalias', 'duplex', 'adminstate'],
    ...['id', 'id_like', 'name', 'version', 'label', 'uuid', 'serial', 'chip_name'],
  ],
  places: [
    {
      names: /^node_filesystem_/,
      label: ['mountpoint'],
      kind: 'filesystem',
      texts: { fstype: 'type', device: 'device' },
    },
    {
      names: /^node_(?:network|arp|bonding)_/,
      label: ['device', 'interface', 'master'],
      kind: 'network',
      texts: {},
    },
    { names: /^node_(?:disk|md)_/, label: ['device'], kind: 'disk', texts: {} },
    {
      names: /^node_(?:hwmon|thermal|cooling)_/,
      label: ['sensor', 'zone', 'name'],
      kind: 'sensor',
      texts: { chip: 'chip', type: 'type' },
    },
    { names: /^node_systemd_unit_/, label: ['name'], kind: 'unit', texts: { type: 'type' } },
    { names: /^node_power_supply_/, label: ['power_supply'], kind: 'power_supply', texts: {} },
    { names: /^node_nfs|^node_mountstats_/, label: ['export', 'protocol'], kind: 'nfs', texts: {} },
  ],
  isCounter: (name) => name.endsWith('_total') || UNTYPED_COUNTERS.test(name),
  omissionOf(name) {
    if (/^node_scrape_collector_|^node_textfile_(?:scrape_error|mtime)/.test(name)) return 'exporter';
    return name.endsWith('_info') ? 'information' : undefined;
  },
  derived: [
    {
      metric: 'cpu_percent',
      inputs: {
        idle: ['node_cpu_seconds_idle_per_second', 'node_cpu_seconds_iowait_per_second'],
        total: ['node_cpu_seconds_*_per_second'],
      },
      formula: ({ idle = 0, total = 0 }) => busyPercent(idle, total),
    },
    {
      metric: 'memory_percent',
      inputs: { available: ['node_memory_MemAvailable_bytes'], total: ['node_memory_MemTotal_bytes'] },
      formula: ({ available = 0, total = 0 }) => memoryPercent(available, total),
    },
    {
      metric: 'swap_percent',
      inputs: { free: ['node_memory_SwapFree_bytes'], total: ['node_memory_SwapTotal_bytes'] },
      formula: ({ free = 0, total = 0 }) => swapPercent(free, total),
    },
    ...[1, 5, 15].map((minutes) => copy(undefined, `load_${minutes}`, `node_load${minutes}`)),
    {
      metric: 'uptime_seconds',
      inputs: { boot: ['node_boot_time_seconds'] },
      formula: ({ boot = 0 }, time) => (boot > 0 ? time / 1_000 - boot : undefined),
    },
    {
      metric: 'used_percent',
      kind: 'filesystem',
      inputs: {
        size: ['node_filesystem_size_bytes'],
        free: ['node_filesystem_free_bytes'],
        available: ['node_filesystem_avail_bytes'],
      },
      formula: ({ size = 0, free = 0, available = 0 }) => fileSystemPercent(size - free, available),
    },
    copy('filesystem', 'read_only', 'node_filesystem_readonly'),
    {
      metric: 'inodes_used_percent',
      kind: 'filesystem',
      inputs: { free: ['node_filesystem_files_free'], total: ['node_filesystem_files'] },
      formula: ({ free = 0, total = 0 }) => (total > 0 ? (1 - free / total) * 100 : undefined),
    },
    ...diskRates,
    {
      metric: 'utilization_percent',
      kind: 'disk',
      inputs: { busy: ['node_disk_io_time_seconds_per_second'] },
      formula: ({ busy = 0 }) => Math.min(100, busy * 100),
    },
    ...networkRates,
    {
      metric: 'errors_per_second',
      kind: 'network',
      inputs: { errors: ['node_network_receive_errs_per_second', 'node_network_transmit_errs_per_second'] },
      formula: ({ errors }) => errors,
    },
    {
      metric: 'drops_per_second',
      kind: 'network',
      inputs: { drops: ['node_network_receive_drop_per_second', 'node_network_transmit_drop_per_second'] },
      formula: ({ drops }) => drops,
    },
    copy('unit', 'failed', 'node_systemd_unit_state_failed'),
    copy('unit', 'active', 'node_systemd_unit_state_active'),
  ],
};
