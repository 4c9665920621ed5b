import { busyPercent, fileSystemPercent, memoryPercent } from '@tidewatch/domain/host-metrics/host-formulas';
import type { AgentFamily } from './family.ts';
import { copy } from './formulas.ts';

/** windows_exporter of the Prometheus community. Times of interrupts lie within privileged time, so that they do not count again. */
export const WINDOWS_EXPORTER: AgentFamily = {
  name: 'windows_exporter',
  matches: ({ name }) => name.startsWith('windows_'),
  joint: '_',
  folded: ['mode', 'state', 'status', 'start_mode'],
  merged: [{ names: /^windows_cpu_/, labels: ['core'], gauges: 'mean' }],
  ignored: ['product', 'display_name', 'process_id', 'run_as'],
  places: [
    { names: /^windows_logical_disk_/, label: ['volume'], kind: 'filesystem', texts: { filesystem: 'type' } },
    { names: /^windows_physical_disk_/, label: ['disk'], kind: 'disk', texts: {} },
    { names: /^windows_net_/, label: ['nic'], kind: 'network', texts: {} },
    { names: /^windows_service_/, label: ['name'], kind: 'unit', texts: {} },
  ],
  isCounter: (name) => name.endsWith('_total'),
  omissionOf: (name) =>
    name.endsWith('_info') ? 'information' : /^windows_exporter_/.test(name) ? 'exporter' : undefined,
  derived: [
    {
      metric: 'cpu_percent',
      inputs: {
        idle: ['windows_cpu_time_idle_per_second'],
        total: ['idle', 'user', 'privileged'].map((mode) => `windows_cpu_time_${mode}_per_second`),
      },
      formula: ({ idle = 0, total = 0 }) => busyPercent(idle, total),
    },
    {
      metric: 'memory_percent',
      inputs: {
        available: ['windows_memory_available_bytes'],
        total: ['windows_memory_physical_total_bytes'],
      },
      formula: ({ available = 0, total = 0 }) => memoryPercent(available, total),
    },
    {
      metric: 'memory_percent',
      inputs: {
        available: ['windows_memory_available_bytes'],
        total: ['windows_cs_physical_memory_bytes'],
      },
      formula: ({ available = 0, total = 0 }) => memoryPercent(available, total),
    },
    {
      metric: 'used_percent',
      kind: 'filesystem',
      inputs: { free: ['windows_logical_disk_free_bytes'], size: ['windows_logical_disk_size_bytes'] },
      formula: ({ free = 0, size = 0 }) => fileSystemPercent(size - free, free),
    },
    copy('disk', 'read_bytes_per_second', 'windows_physical_disk_read_bytes_per_second'),
    copy('disk', 'write_bytes_per_second', 'windows_physical_disk_write_bytes_per_second'),
    copy('network', 'receive_bytes_per_second', 'windows_net_bytes_received_per_second'),
    copy('network', 'transmit_bytes_per_second', 'windows_net_bytes_sent_per_second'),
    {
      // In spite of its former name, the older one is the time of the boot as well.
      metric: 'uptime_seconds',
      inputs: { boot: ['windows_system_boot_time_timestamp_seconds', 'windows_system_system_up_time'] },
      formula: ({ boot = 0 }, time) => (boot > 0 ? time / 1_000 - boot : undefined),
    },
  ],
};
