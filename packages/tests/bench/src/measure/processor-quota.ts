import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';

/** Limits one process to a share of one processor, by a separate control group. */
export interface ProcessorQuota {
  /** Limits the process to a share of one processor (0.25 is a quarter); null removes the limit. */
  set(share: number | null): void;
  /** Removes the quota; may be called once the process has ended. */
  remove(): void;
}

const PERIOD_US = 100_000;
const V2 = '/sys/fs/cgroup';
const V1 = '/sys/fs/cgroup/cpu';

/** Limits a process. Needs the right to create control groups, as root has it; throws with an explanation otherwise. */
export function limitProcess(pid: number): ProcessorQuota {
  const root = rootOf();
  const folder = join(root, `tidewatch-bench-${pid}`);
  mkdirSync(folder);
  writeFileSync(join(folder, 'cgroup.procs'), String(pid));
  return {
    set(share) {
      const quota = share === null ? null : Math.round(share * PERIOD_US);
      if (root === V2) writeFileSync(join(folder, 'cpu.max'), `${quota ?? 'max'} ${PERIOD_US}`);
      else writeFileSync(join(folder, 'cpu.cfs_quota_us'), String(quota ?? -1));
    },
    remove: () => rmdirSync(folder),
  };
}

function rootOf(): string {
  const found = [V2, V1].find((root) => hasProcessor(root) && mayWrite(root));
  if (found === undefined)
    throw new Error('control groups for processor time cannot be made here; run this as root');
  return found;
}

function hasProcessor(root: string): boolean {
  const controllers = join(root, 'cgroup.subtree_control');
  if (root === V2)
    return existsSync(controllers) && readFileSync(controllers, 'utf8').split(/\s+/).includes('cpu');
  return existsSync(join(root, 'cpu.cfs_quota_us'));
}

function mayWrite(root: string): boolean {
  try {
    accessSync(root, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}
