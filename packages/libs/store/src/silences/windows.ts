import { setImmediate } from 'node:timers/promises';
import type { SilenceWindowsAnswer } from '@tidewatch/contracts/silences/silence-windows';
import { toIso } from '@tidewatch/contracts/time/time';
import type { Sql } from '@tidewatch/database/connection';
import { compileSilence, type SilenceRow, silenceColumns } from './row.ts';

/** The time after which the expansion yields to the event loop, ms. */
const MAX_TURN_MS = 5;

/**
 * The windows of an organization's silences within `[from, to)` (ms) by their beginning; null where there are more than `max`.
 * Stops with the reason of `signal`.
 */
export async function listSilenceWindows(
  sql: Sql,
  organizationId: string,
  { from, to }: { from: number; to: number },
  max: number,
  signal: AbortSignal,
): Promise<SilenceWindowsAnswer['windows'] | null> {
  const rows = await sql<SilenceRow[]>`
    select ${silenceColumns(sql)} from silences s
    where s.organization_id = ${organizationId} and s.deleted_at is null and s.from_at < ${to} and s.ends_at > ${from}`;
  const found: { id: string; from: number; until: number }[] = [];
  let since = performance.now();
  for (const row of rows)
    for (const window of compileSilence(row).windowsWithin(from, to)) {
      if (found.push({ id: row.id, ...window }) > max) return null;
      if (performance.now() - since < MAX_TURN_MS) continue;
      await setImmediate();
      signal.throwIfAborted();
      since = performance.now();
    }
  found.sort((a, b) => a.from - b.from || (a.id < b.id ? -1 : 1));
  return found.map(({ id, from, until }) => ({ silence_id: id, from: toIso(from), until: toIso(until) }));
}
