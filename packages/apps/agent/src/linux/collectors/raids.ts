import { join } from 'node:path';
import type { HostCollector } from '../../collectors/collector.ts';
import { tryNames, tryNumber, tryText } from '../files.ts';

/** Reads the software RAID arrays of the kernel (md) from /sys. */
export function createRaidCollector({ sysRoot }: { sysRoot: string }): HostCollector {
  const blocks = join(sysRoot, 'block');
  return {
    name: 'raids',
    read() {
      const arrays = tryNames(blocks).filter((name) => tryText(blocks, name, 'md/array_state') !== '');
      const parts = arrays.map((name) => {
        const state = tryText(blocks, name, 'md/array_state').trim();
        const action = tryText(blocks, name, 'md/sync_action').trim();
        const metrics: Record<string, number> = {
          active: /^(inactive|clear|suspended)$/.test(state) ? 0 : 1,
          syncing: action === '' || action === 'idle' || action === 'frozen' ? 0 : 1,
        };
        const members = tryNumber(blocks, name, 'md/raid_disks');
        const degraded = tryNumber(blocks, name, 'md/degraded');
        if (members !== undefined) metrics.members = members;
        if (degraded !== undefined) metrics.missing_members = degraded;
        // The state is no label, because it changes whenever something is written.
        return {
          kind: 'raid',
          name,
          labels: { level: tryText(blocks, name, 'md/level').trim() },
          metrics,
        };
      });
      return { parts };
    },
  };
}
