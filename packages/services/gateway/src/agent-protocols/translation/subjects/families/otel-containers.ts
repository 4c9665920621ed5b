import { labelOf, type SentSeries } from '../../../series/sent-series.ts';
import type { SubjectFamily, SubjectField } from '../subject-family.ts';

const DEVICES = ['device_major', 'device_minor', 'system.device'];

/** Bytes read or written, by a label. */
function transferred(label: string): SubjectField {
  return {
    field: 'block_read_bytes_per_second',
    isCounter: true,
    over: DEVICES,
    choose(series: SentSeries) {
      const way = labelOf(series.labels, label);
      if (way !== 'read' && way !== 'write') return 'omit';
      return { field: `block_${way}_bytes_per_second`, rank: 0 };
    },
  };
}

/** The Collector's receivers `docker_stats` and `kubeletstats`, both of which list what runs. */
export const OTEL_CONTAINERS: SubjectFamily = {
  name: 'otel_containers',
  kind: 'container',
  isAtOnce: true,
  matches: ({ protocol, name, resource }) =>
    protocol === 'otlp' &&
    name.startsWith('container.') &&
    labelOf(resource, 'service.name') === undefined &&
    ['container.id', 'container.name', 'k8s.container.name'].some(
      (label) => labelOf(resource, label) !== undefined,
    ),
  identify({ resource }) {
    const ofPod = ['k8s.namespace.name', 'k8s.pod.name', 'k8s.container.name'].flatMap(
      (label) => labelOf(resource, label) ?? [],
    );
    const id = labelOf(resource, 'container.id');
    const name = labelOf(resource, 'container.name') ?? (ofPod.length > 0 ? ofPod.join('/') : id);
    if (name === undefined || name === '') return undefined;
    const image = labelOf(resource, 'container.image.name');
    return {
      key: id ?? name,
      name: ofPod.length > 0 ? ofPod.join('/') : name,
      ...(id !== undefined && { id }),
      ...(image !== undefined && { image }),
      status: 'running',
    };
  },
  fields: {
    'container.cpu.utilization': { field: 'cpu_percent' },
    'container.cpu.percent': { field: 'cpu_percent', rank: 1 },
    'container.cpu.usage': { field: 'cpu_percent', rank: 2, scale: 100 },
    'container.cpu.usage.total': { field: 'cpu_percent', rank: 3, scale: 1e-7, isCounter: true },
    'container.memory.usage.total': { field: 'memory_usage' },
    'container.memory.working_set': { field: 'memory_usage', rank: 1 },
    'container.memory.usage.limit': { field: 'memory_limit' },
    'container.network.io.usage.rx_bytes': {
      field: 'network_receive_bytes_per_second',
      isCounter: true,
      over: ['interface'],
    },
    'container.network.io.usage.tx_bytes': {
      field: 'network_transmit_bytes_per_second',
      isCounter: true,
      over: ['interface'],
    },
    'container.blockio.io_service_bytes_recursive': transferred('operation'),
    'container.restarts': { field: 'restart_count' },
  },
};
