import { labelOf } from '../../../series/sent-series.ts';
import type { SubjectFamily, SubjectField } from '../subject-family.ts';

/** A counter of each `label`, and one of all of them whose label is `total`, which is preferred. */
function ofTotal(field: string, label: string): SubjectField {
  return {
    field,
    isCounter: true,
    over: [label],
    choose: ({ labels }) => ({ field, rank: labelOf(labels, label) === 'total' ? 0 : 1 }),
  };
}

/** Telegraf's plugin `docker`, by whatever output. */
export const TELEGRAF_DOCKER: SubjectFamily = {
  name: 'telegraf_docker',
  kind: 'container',
  isAtOnce: false,
  matches: ({ name, labels }) =>
    name.startsWith('docker_container_') && labelOf(labels, 'container_name') !== undefined,
  identify({ labels }) {
    const name = labelOf(labels, 'container_name');
    if (name === undefined || name === '') return undefined;
    const [image, version, status] = ['container_image', 'container_version', 'container_status'].map(
      (label) => labelOf(labels, label),
    );
    const isVersioned = version !== undefined && version !== 'unknown' && version !== '';
    return {
      key: name,
      name,
      ...(image !== undefined && { image: isVersioned ? `${image}:${version}` : image }),
      ...(status !== undefined && { status }),
    };
  },
  fields: {
    docker_container_cpu_usage_percent: {
      field: 'cpu_percent',
      choose: ({ labels }) =>
        ['cpu-total', undefined].includes(labelOf(labels, 'cpu'))
          ? { field: 'cpu_percent', rank: 0 }
          : 'omit',
    },
    docker_container_mem_usage: { field: 'memory_usage' },
    docker_container_mem_limit: { field: 'memory_limit' },
    docker_container_net_rx_bytes: ofTotal('network_receive_bytes_per_second', 'network'),
    docker_container_net_tx_bytes: ofTotal('network_transmit_bytes_per_second', 'network'),
    docker_container_blkio_io_service_bytes_recursive_read: ofTotal('block_read_bytes_per_second', 'device'),
    docker_container_blkio_io_service_bytes_recursive_write: ofTotal(
      'block_write_bytes_per_second',
      'device',
    ),
    docker_container_status_restart_count: { field: 'restart_count' },
    docker_container_status_oomkilled: { field: 'oom_killed' },
  },
};
