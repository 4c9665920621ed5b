import { labelOf, type SentSeries } from '../../../series/sent-series.ts';
import type { SubjectFamily, SubjectField } from '../subject-family.ts';

const has = ({ labels }: SentSeries, ...names: readonly string[]) =>
  names.every((name) => (labelOf(labels, name) ?? '') !== '');

const perInterface = (field: string): SubjectField => ({ field, isCounter: true, over: ['interface'] });
const perDevice = (field: string): SubjectField => ({ field, isCounter: true, over: ['device'] });

/** cAdvisor, also as part of a kubelet: control groups with the name of a container. It lists what runs. */
export const CADVISOR: SubjectFamily = {
  name: 'cadvisor',
  kind: 'container',
  isAtOnce: false,
  matches: (series) =>
    series.protocol === 'remote_write' &&
    series.name.startsWith('container_') &&
    (labelOf(series.labels, 'id')?.startsWith('/') ||
      has(series, 'name', 'image') ||
      has(series, 'namespace', 'pod')),
  identify({ labels }) {
    const container = labelOf(labels, 'container') ?? '';
    const ofPod = ['namespace', 'pod', 'container'].map((label) => labelOf(labels, label) ?? '');
    const isOfPod = ofPod.every((text) => text !== '') && container !== 'POD';
    const name = isOfPod ? ofPod.join('/') : (labelOf(labels, 'name') ?? '');
    if (name === '' || container === 'POD') return undefined;
    const id = /([0-9a-f]{64})(?:\.scope)?$/.exec(labelOf(labels, 'id') ?? '')?.[1];
    const image = labelOf(labels, 'image');
    return {
      key: id ?? name,
      name,
      ...(id !== undefined && { id }),
      ...(image !== undefined && image !== '' && { image }),
      status: 'running',
    };
  },
  fields: {
    container_cpu_usage_seconds_total: {
      field: 'cpu_percent',
      scale: 100,
      isCounter: true,
      choose: ({ labels }) =>
        ['total', undefined].includes(labelOf(labels, 'cpu')) ? { field: 'cpu_percent', rank: 0 } : 'omit',
    },
    container_memory_working_set_bytes: { field: 'memory_usage' },
    container_memory_usage_bytes: { field: 'memory_usage', rank: 1 },
    container_spec_memory_limit_bytes: { field: 'memory_limit' },
    container_network_receive_bytes_total: perInterface('network_receive_bytes_per_second'),
    container_network_transmit_bytes_total: perInterface('network_transmit_bytes_per_second'),
    container_fs_reads_bytes_total: perDevice('block_read_bytes_per_second'),
    container_fs_writes_bytes_total: perDevice('block_write_bytes_per_second'),
  },
};
