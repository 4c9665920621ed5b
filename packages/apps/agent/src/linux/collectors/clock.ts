import type { HostCollector } from '../../collectors/collector.ts';
import { refreshed } from '../../collectors/refreshed.ts';
import type { RunCommand } from '../../collectors/run-command.ts';

const REFRESH_MS = 60_000;
const MS_BY_UNIT: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1_000, min: 60_000 };

/**
 * Reads from chrony, or else from systemd, whether the clock is synchronized and how far it is ahead (below 0: behind), once
 * a minute. Left out where neither answers.
 */
export function createClockCollector({ run }: { run: RunCommand }): HostCollector {
  const read = refreshed(REFRESH_MS, async () => (await readChrony(run)) ?? (await readSystemd(run)) ?? {});
  return { name: 'clock', read: (at) => ({ metrics: read(at) ?? {} }) };
}

async function readChrony(run: RunCommand): Promise<Record<string, number> | undefined> {
  const answer = await run('chronyc', ['-n', '-c', 'tracking']);
  const fields = answer?.code === 0 ? answer.stdout.trim().split(',') : [];
  const behind = Number(fields[4]);
  if (fields.length < 14 || !Number.isFinite(behind)) return undefined;
  const isSynchronized = fields[13] !== 'Not synchronised';
  return {
    clock_synchronized: isSynchronized ? 1 : 0,
    ...(isSynchronized && { clock_offset_ms: -behind * 1_000 }),
  };
}

async function readSystemd(run: RunCommand): Promise<Record<string, number> | undefined> {
  const shown = await run('timedatectl', ['show', '--property=NTPSynchronized', '--value']);
  const isSynchronized = shown?.code === 0 ? shown.stdout.trim() : '';
  if (isSynchronized !== 'yes' && isSynchronized !== 'no') return undefined;
  const status = isSynchronized === 'yes' ? await run('timedatectl', ['timesync-status']) : undefined;
  const behind = status?.code === 0 ? parseSpan(/^ *Offset: ([+-]?)(.+)$/m.exec(status.stdout)) : undefined;
  return {
    clock_synchronized: isSynchronized === 'yes' ? 1 : 0,
    ...(behind !== undefined && { clock_offset_ms: -behind }),
  };
}

/** Parses a sign and a span of systemd, such as "1min 2.5s" or "583us", to milliseconds. */
function parseSpan(match: RegExpExecArray | null): number | undefined {
  if (match === null) return undefined;
  const parts = [...(match[2] ?? '').matchAll(/([\d.]+)(us|ms|min|s)/g)];
  if (parts.length === 0) return undefined;
  const sum = parts.reduce((all, [, value, unit = '']) => all + Number(value) * (MS_BY_UNIT[unit] ?? 0), 0);
  return match[1] === '-' ? -sum : sum;
}
