import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StackFile } from './stack-file.ts';

/** Ends the processes that a killed stack has left running; skips process ids that belong to other programs now. */
export async function endLeftovers(
  left: StackFile,
  isOurs: (commandLine: string) => boolean,
): Promise<number> {
  const pids = left.processes.map(({ pid }) => pid).filter((pid) => isOurs(commandLineOf(pid)));
  for (const pid of pids) signal(pid, 'SIGTERM');
  for (let tries = 0; tries < 100 && pids.some((pid) => isOurs(commandLineOf(pid))); tries += 1)
    await sleep(100);
  for (const pid of pids) if (isOurs(commandLineOf(pid))) signal(pid, 'SIGKILL');
  return pids.length;
}

function commandLineOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // The process has ended meanwhile.
  }
}
