import { spawnSync } from 'node:child_process';
import { type PartLine, readPartReport } from '@tidewatch/harness/parts/report';

/** Returns the servers and programs that a run's tests used, as reported by setups or found by the tests themselves. */
export function findParts(report: string): PartLine[] {
  const node: PartLine = { name: 'Node', state: 'given', detail: process.version };
  return [node, ...readPartReport(report), smallDisk()];
}

/** Reports whether tests may mount a small file system in order to fill it. */
function smallDisk(): PartLine {
  const name = 'mount';
  const script =
    'd=$(mktemp -d) && mount -t tmpfs -o size=1m tmpfs "$d"; s=$?; umount "$d" 2>&1; rmdir "$d"; exit $s';
  const done = spawnSync('/bin/sh', ['-c', script], { encoding: 'utf8' });
  return done.status === 0
    ? { name, state: 'given', detail: 'a small file system of the test of a full disk' }
    : { name, state: 'lacked', detail: `tests cannot mount a small file system: ${done.stderr?.trim()}` };
}
