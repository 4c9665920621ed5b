import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { HostCollector } from '../../collectors/collector.ts';
import { tryNames, tryText } from '../files.ts';

/** Files by which Debian, Ubuntu and SUSE say that updates need a restart of the machine. */
const MARKERS = ['run/reboot-required', 'var/run/reboot-required', 'run/reboot-needed'];
/** Files by which Docker and Podman mark a container, whose own files say nothing of the machine. */
const CONTAINER_MARKERS = ['.dockerenv', 'run/.containerenv'];
/** Distributions that write such a file. */
const MARKING = /^(ID|ID_LIKE)="?.*\b(debian|ubuntu|suse)\b/m;

/**
 * Reads whether the machine has to be restarted: 1 where the distribution says so, or where the modules of the kernel that
 * runs were removed by an update; 0 otherwise. Left out where neither is known, and in containers.
 */
export function createRebootCollector({ root, procRoot }: { root: string; procRoot: string }): HostCollector {
  return {
    name: 'reboot',
    read() {
      const exists = (file: string) => existsSync(join(root, file));
      if (CONTAINER_MARKERS.some(exists)) return {};
      if (MARKERS.some(exists)) return { metrics: { reboot_required: 1 } };
      const kernels = tryNames(root, 'lib/modules');
      const running = tryText(procRoot, 'sys/kernel/osrelease').trim();
      if (kernels.length > 0 && running !== '')
        return { metrics: { reboot_required: kernels.includes(running) ? 0 : 1 } };
      return MARKING.test(tryText(root, 'etc/os-release')) ? { metrics: { reboot_required: 0 } } : {};
    },
  };
}
