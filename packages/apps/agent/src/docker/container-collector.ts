import type { HostCollector } from '../collectors/collector.ts';
import type { ContainerSource } from './docker.ts';

/** Reads the containers of this machine, and counts those that do not fit into a payload. */
export function createContainerCollector(source: ContainerSource): HostCollector {
  return {
    name: 'containers',
    async read() {
      const found = await source();
      if (found === undefined) return {};
      return { containers: found.containers, metrics: { containers_left_out: found.leftOut } };
    },
  };
}
