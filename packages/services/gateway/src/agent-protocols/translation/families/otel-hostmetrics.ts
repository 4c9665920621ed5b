import {
  busyPercent,
  fileSystemPercent,
  memoryPercent,
  swapPercent,
} from '@tidewatch/domain/host-metrics/host-formulas';
import type { AgentFamily, DerivedMetric, Merged } from './family.ts';
import { copy, scaled } from './formulas.ts';

/**
 * The tables of OpenTelemetry's semantic conventions for hosts. The Collector's exporter for remote write renames metrics: dots become
 * underscores, and units are appended; so each name here is given by a function of its dotted form and its unit there.
 */
function derivedOf(
  named: (dotted: string, unit: string, folded?: string) => string,
): readonly DerivedMetric[] {
  const memory = (state: string) => named('system.memory.usage', 'bytes', state);
  const paging = (state: string) => named('system.paging.usage', 'bytes', state);
  const space = (state: string) => named('system.filesystem.usage', 'bytes', state);
  const inodes = (state: string) => named('system.filesystem.inodes.usage', '', state);
  const rate = (dotted: string, unit: string, folded?: string) => `${named(dotted, unit, folded)}_per_second`;
  const idle = ['idle', 'wait', 'iowait'];
  return [
    {
      metric: 'cpu_percent',
      inputs: {
        idle: idle.map((state) => rate('system.cpu.time', 'seconds', state)),
        total: [rate('system.cpu.time', 'seconds', '*')],
      },
      formula: ({ idle = 0, total = 0 }) => busyPercent(idle, total),
    },
    {
      metric: 'cpu_percent',
      inputs: { idle: idle.map((state) => named('system.cpu.utilization', 'ratio', state)) },
      formula: ({ idle = 0 }) => busyPercent(idle, 1),
    },
    {
      metric: 'memory_percent',
      inputs: {
        available: [
          named('system.linux.memory.available', 'bytes'),
          named('system.memory.linux.available', 'bytes'),
        ],
        total: [named('system.memory.limit', 'bytes')],
      },
      formula: ({ available = 0, total = 0 }) => memoryPercent(available, total),
    },
    scaled(undefined, 'memory_percent', named('system.memory.utilization', 'ratio', 'used'), 100),
    {
      metric: 'memory_percent',
      inputs: { used: [memory('used')], total: [named('system.memory.limit', 'bytes')] },
      formula: ({ used = 0, total = 0 }) => memoryPercent(total - used, total),
    },
    {
      // Shared memory is among both used and cached, so that this is an estimate, mostly a low one.
      metric: 'memory_percent',
      inputs: { used: [memory('used')], other: ['free', 'buffered', 'cached'].map(memory) },
      formula: ({ used = 0, other = 0 }) => memoryPercent(other, used + other),
    },
    {
      metric: 'swap_percent',
      inputs: { free: [paging('free')], used: [paging('used')] },
      formula: ({ free = 0, used = 0 }) => swapPercent(free, free + used),
    },
    ...[1, 5, 15].map((minutes) =>
      copy(undefined, `load_${minutes}`, named(`system.cpu.load_average.${minutes}m`, '')),
    ),
    copy(undefined, 'uptime_seconds', named('system.uptime', 'seconds')),
    {
      // Free excludes what is reserved for the administrator, so that this is what df shows.
      metric: 'used_percent',
      kind: 'filesystem',
      inputs: { used: [space('used')], free: [space('free')] },
      formula: ({ used = 0, free = 0 }) => fileSystemPercent(used, free),
    },
    scaled('filesystem', 'used_percent', named('system.filesystem.utilization', 'ratio'), 100),
    {
      metric: 'inodes_used_percent',
      kind: 'filesystem',
      inputs: { used: [inodes('used')], free: [inodes('free')] },
      formula: ({ used = 0, free = 0 }) => fileSystemPercent(used, free),
    },
    copy('disk', 'read_bytes_per_second', rate('system.disk.io', 'bytes', 'read')),
    copy('disk', 'write_bytes_per_second', rate('system.disk.io', 'bytes', 'write')),
    copy('network', 'receive_bytes_per_second', rate('system.network.io', 'bytes', 'receive')),
    copy('network', 'transmit_bytes_per_second', rate('system.network.io', 'bytes', 'transmit')),
    {
      metric: 'errors_per_second',
      kind: 'network',
      inputs: { errors: ['receive', 'transmit'].map((way) => rate('system.network.errors', '', way)) },
      formula: ({ errors }) => errors,
    },
    {
      metric: 'drops_per_second',
      kind: 'network',
      inputs: { drops: ['receive', 'transmit'].map((way) => rate('system.network.dropped', '', way)) },
      formula: ({ drops }) => drops,
    },
  ];
}

const FOLDED = [
  'system.cpu.state',
  'cpu.mode',
  'system.memory.state',
  'system.paging.state',
  'system.filesystem.state',
  'system.process.status',
  'system.paging.type',
  'system.paging.direction',
  'disk.io.direction',
  'system.disk.direction',
  'network.io.direction',
  'system.network.direction',
  'network.direction',
  'network.transport',
  'system.network.state',
  'network.connection.state',
  'state',
  'status',
  'type',
  'protocol',
  'direction',
];

const MERGED: readonly Merged[] = [
  {
    names: /^system\.cpu\./,
    labels: ['cpu', 'cpu.logical_number', 'system.cpu.logical_number'],
    gauges: 'mean',
  },
  { names: /^system\.paging\./, labels: ['device', 'system.device', 'system.paging.device'], gauges: 'sum' },
];

function underscored(names: RegExp): RegExp {
  return new RegExp(names.source.replaceAll('\\.', '_'));
}

/** Collector with hostmetrics, and the host metrics of SDKs, by OTLP. */
export const OTEL_HOSTMETRICS: AgentFamily = {
  name: 'otel_hostmetrics',
  matches: ({ name }) => name.startsWith('system.'),
  joint: '.',
  folded: FOLDED,
  merged: MERGED,
  ignored: ['mode', 'system.filesystem.mode', 'process.runtime.name'],
  places: [
    {
      names: /^system\.filesystem\./,
      label: ['mountpoint', 'system.filesystem.mountpoint', 'device', 'system.device'],
      kind: 'filesystem',
      texts: {
        device: 'device',
        'system.device': 'device',
        type: 'type',
        'system.filesystem.type': 'type',
      },
    },
    { names: /^system\.disk\./, label: ['device', 'system.device'], kind: 'disk', texts: {} },
    {
      names: /^system\.network\./,
      label: ['device', 'interface', 'network.interface.name', 'system.device'],
      kind: 'network',
      texts: {},
    },
  ],
  isCounter: () => false,
  omissionOf: () => undefined,
  derived: derivedOf((dotted, _unit, folded) => (folded === undefined ? dotted : `${dotted}.${folded}`)),
};

/** The same by the Collector's exporter for remote write. */
export const OTEL_HOSTMETRICS_RENAMED: AgentFamily = {
  ...OTEL_HOSTMETRICS,
  name: 'otel_hostmetrics_renamed',
  matches: ({ name }) =>
    /^system_(?:cpu|memory|linux|paging|filesystem|disk|network|processes|uptime)_?/.test(name) &&
    !/^system_(?:load\d|uptime$|n_)/.test(name),
  joint: '_',
  folded: FOLDED.flatMap((label) => [label.replaceAll('.', '_')]),
  merged: MERGED.map(({ names, labels, gauges }) => ({
    names: underscored(names),
    labels: labels.map((label) => label.replaceAll('.', '_')),
    gauges,
  })),
  ignored: ['mode', 'system_filesystem_mode'],
  places: OTEL_HOSTMETRICS.places.map(({ names, label, kind, texts }) => ({
    names: underscored(names),
    label: label.map((each) => each.replaceAll('.', '_')),
    kind,
    texts: Object.fromEntries(Object.entries(texts).map(([from, to]) => [from.replaceAll('.', '_'), to])),
  })),
  isCounter: (name) => name.endsWith('_total'),
  derived: derivedOf((dotted, unit, folded) =>
    [dotted.replaceAll('.', '_'), unit, folded].filter(Boolean).join('_'),
  ),
};
