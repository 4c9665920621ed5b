import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { FoundPart, HostCollector } from '../../collectors/collector.ts';
import type { RunCommand } from '../../collectors/run-command.ts';

/** Units are read after this time even if none seems to have changed: one whose failure was reset leaves no trace. */
const REFRESH_MS = 30_000;
/** A folder in which systemd makes an entry for each unit that starts, and removes it once the unit is inactive or failed. */
const STARTED_UNITS = 'run/systemd/units';
/** How long a unit is reported after it was last failed, ms, so that rules see that it recovered. */
const RECOVERED_MS = 3_600_000;
/** The max number of units that are reported because they failed. */
const MAX_FAILED = 64;
const PROPERTIES = 'Id,LoadState,ActiveState,NRestarts,MemoryCurrent';
/** systemd says the largest number of 64 bits for a size that it does not know. */
const UNKNOWN_SIZE = 2 ** 63;

export interface UnitOptions {
  root: string;
  run: RunCommand;
  /** A clock that never goes back, ms. */
  monotonic(): number;
  /** Names or patterns of units that are reported whatever their state. */
  units: readonly string[];
}

/**
 * Reads the units of systemd that options name, those that failed, and those that failed within the last hour: when a unit has
 * started or ended, and every 30 seconds. Left out where systemd does not run the machine.
 */
export function createUnitCollector({ root, run, monotonic, units }: UnitOptions): HostCollector {
  const failedAt = new Map<string, number>();

  async function readUnits(): Promise<FoundPart[]> {
    const failed = await systemctl(run, [
      'list-units',
      '--failed',
      '--all',
      '--plain',
      '--no-legend',
      '--full',
    ]);
    if (failed === undefined) return [];
    const now = monotonic();
    for (const line of failed.split('\n')) {
      const [name = ''] = line.trim().split(/\s+/);
      if (name.includes('.')) failedAt.set(name, now);
    }
    for (const [name, at] of failedAt)
      if (now - at > RECOVERED_MS || failedAt.size > MAX_FAILED) failedAt.delete(name);
    const names = [...new Set([...units, ...failedAt.keys()])];
    if (names.length === 0) return [];
    const shown = await systemctl(run, ['show', `--property=${PROPERTIES}`, '--', ...names]);
    return (shown ?? '').split('\n\n').flatMap(toPart).toSorted(failedFirst);
  }

  let last: { at: number; version: string; parts: FoundPart[] } | undefined;
  return {
    name: 'units',
    async read(at) {
      if (!existsSync(join(root, 'run/systemd/system'))) return {};
      // Taken before the units are read, so that what changes meanwhile is read next time.
      const version = versionOf(join(root, STARTED_UNITS));
      if (last === undefined || last.version !== version || at - last.at >= REFRESH_MS)
        last = { at, version, parts: await readUnits() };
      return { parts: last.parts };
    },
  };
}

function versionOf(folder: string): string {
  return String(statSync(folder, { bigint: true, throwIfNoEntry: false })?.mtimeNs);
}

async function systemctl(run: RunCommand, args: string[]): Promise<string | undefined> {
  const answer = await run('systemctl', ['--no-pager', ...args]);
  if (answer !== undefined && answer.code !== 0) throw new Error(`systemctl ended with code ${answer.code}`);
  return answer?.stdout;
}

function toPart(block: string): FoundPart[] {
  const properties = new Map(
    [...block.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
  );
  const name = properties.get('Id') ?? '';
  const state = properties.get('ActiveState');
  if (name === '' || state === undefined) return [];
  const metrics: Record<string, number> = {
    active: /^(active|reloading|refreshing)$/.test(state) ? 1 : 0,
    failed: state === 'failed' ? 1 : 0,
  };
  const restarts = Number(properties.get('NRestarts') || Number.NaN);
  if (Number.isFinite(restarts)) metrics.restart_count = restarts;
  const memory = Number(properties.get('MemoryCurrent') || Number.NaN);
  if (memory < UNKNOWN_SIZE) metrics.memory_bytes = memory;
  const type = name.slice(name.lastIndexOf('.') + 1);
  return [{ kind: 'unit', name, labels: { type, load: properties.get('LoadState') ?? '' }, metrics }];
}

function failedFirst({ metrics: a }: FoundPart, { metrics: b }: FoundPart): number {
  return (b.failed ?? 0) - (a.failed ?? 0);
}
