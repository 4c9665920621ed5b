import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A text that distinguishes a process from later ones with the same pid; null if there is no such process. */
export function processStart(pid: number): string | null {
  if (process.platform === 'linux') {
    try {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ');
      const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
      return fields[0] === 'Z' || fields[0] === 'X' ? null : `${boot} ${fields[19]}`;
    } catch {
      return null;
    }
  }
  const done = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' });
  return done.stdout?.trim() || null;
}
