import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { FoundPart, HostCollector } from '../../collectors/collector.ts';
import type { RunCommand } from '../../collectors/run-command.ts';
import type { FailedUnits } from '../failed-units.ts';

/** Units are read after this time even if none seems to have changed, for the memory that they use. */
const REFRESH_MS = 30_000;
/** A folder in which systemd makes an entry for each unit that starts, and removes it once the unit is inactive or failed. */
const STARTED_UNITS = 'run/systemd/units';
/** How long a unit is reported after it was last failed, ms, so that rules see that it recovered. */
const RECOVERED_MS = 3_600_000;
/** The max number of units that are reported because they failed. */
const MAX_FAILED = 64;
/** Asked for each sample while a unit is failed, since the reset of a failure leaves no trace in `STARTED_UNITS`. */
const LIST_FAILED = ['list-units', '--failed', '--all', '--plain', '--no-legend', '--full'];
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
  /** Where the names of failed units are kept while the agent does not run; they are forgotten without it. */
  failedUnits?: FailedUnits | undefined;
}

/**
 * Reads the units of systemd that options name, those that failed, and those that failed within the last hour: when a unit has
 * started or ended, when another set of them is failed, and every 30 seconds. Left out where systemd does not run the machine.
 */
export function createUnitCollector(options: UnitOptions): HostCollector {
  const { root, run, monotonic, units, failedUnits } = options;
  const startedAt = monotonic();
  const failedAt = new Map(failedUnits?.load().map((name) => [name, startedAt]));
  let kept = [...failedAt.keys()].join();

  async function readUnits(failed: string | undefined): Promise<FoundPart[]> {
    if (failed === undefined) return [];
    const now = monotonic();
    for (const line of failed.split('\n')) {
      const [name = ''] = line.trim().split(/\s+/);
      if (name.includes('.')) failedAt.set(name, now);
    }
    for (const [name, at] of failedAt)
      if (now - at > RECOVERED_MS || failedAt.size > MAX_FAILED) failedAt.delete(name);
    keepFailed();
    const names = [...new Set([...units, ...failedAt.keys()])];
    if (names.length === 0) return [];
    const shown = await systemctl(run, ['show', `--property=${PROPERTIES}`, '--', ...names]);
    return (shown ?? '').split('\n\n').flatMap(toPart).toSorted(failedFirst);
  }

  /** Else a unit that recovers while the agent is away would not be reported again, and its alert would stay. */
  function keepFailed(): void {
    const names = [...failedAt.keys()];
    if (names.join() === kept) return;
    kept = names.join();
    failedUnits?.save(names);
  }

  let last: { at: number; version: string; failed: string | undefined; parts: FoundPart[] } | undefined;
  return {
    name: 'units',
    async read(at) {
      if (!existsSync(join(root, 'run/systemd/system'))) return {};
      // Taken before the units are read, so that what changes meanwhile is read next time.
      const version = versionOf(join(root, STARTED_UNITS));
      const isCurrent = last?.version === version && at - last.at < REFRESH_MS;
      if (last !== undefined && isCurrent && !last.failed) return { parts: last.parts };
      const failed = await systemctl(run, LIST_FAILED);
      if (last === undefined || !isCurrent || last.failed !== failed)
        last = { at, version, failed, parts: await readUnits(failed) };
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
