import { DAY_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Queryable } from '@tidewatch/database/connection';
import { PAYLOADS_UNTIL_GONE } from '@tidewatch/domain/alerting/absence';
import { bucketOf } from '@tidewatch/domain/rollup/buckets';
import type { Range } from '../series/series-columns.ts';
import { storedSeries } from '../series/stored-series.ts';
import { organizationSnapshots } from '../snapshots/stored-snapshots.ts';
import type { PreviewRequest } from './preview-context.ts';

/** The payloads with containers that lacked one container. */
export interface MissedPayloads {
  /** Their number; those after the one that makes the container gone may be left out. */
  count: number;
  /** The time of the payload with which the container is gone, ms, or its minute where minutes are read; null if it is not gone. */
  goneAt: number | null;
}

interface Wanted {
  organizationId: string;
  serviceId: string;
  /** The name of the container. */
  name: string;
  tier: PreviewRequest['tier'];
  /** Payloads after this time are read, ms; where minutes are read, those of later minutes. */
  after: number;
  /** Payloads before this time are read, ms. */
  to: number;
}

/** Payloads are read in stretches: the first few that lacked the container mostly follow it at once. */
const FIRST_STRETCH_MS = 5 * MINUTE_MS;
const MAX_STRETCH_MS = DAY_MS;

/**
 * Reads which payloads of a service had containers, but not the one of this name. A payload had containers if there are numbers of some
 * container, or if its list of containers is still kept.
 */
export async function readMissedPayloads(sql: Queryable, wanted: Wanted): Promise<MissedPayloads> {
  const { organizationId, serviceId, name, tier, after, to } = wanted;
  const blocks = await sql<{ id: number; isOwn: boolean }[]>`
    select id, subject_name = ${name} as "isOwn" from blocks
    where organization_id = ${organizationId} and service_id = ${serviceId} and subject_kind = 'container'`;
  let count = 0;
  let lengthMs = FIRST_STRETCH_MS;
  let from = after + WIDTH_MS[tier];
  while (from < to) {
    const end = Math.min(from + lengthMs, to);
    for (const [at, payloads] of await missedWithin(sql, wanted, blocks, from, end)) {
      count += payloads;
      if (count >= PAYLOADS_UNTIL_GONE) return { count, goneAt: at };
    }
    from = end;
    lengthMs = Math.min(4 * lengthMs, MAX_STRETCH_MS);
  }
  return { count, goneAt: null };
}

/** How long a payload or minute lasts, ms; times of samples are whole milliseconds. */
const WIDTH_MS = { raw: 1, '1m': MINUTE_MS } as const;

/** The payloads of `[from, to)`, ms, without the container, by their time or minute, oldest first. */
async function missedWithin(
  sql: Queryable,
  wanted: Wanted,
  blocks: readonly { id: number; isOwn: boolean }[],
  from: number,
  to: number,
): Promise<[at: number, payloads: number][]> {
  const { tier } = wanted;
  const width = WIDTH_MS[tier];
  const whole = { from: bucketOf(from, width), to: Math.ceil(to / width) * width };
  const idsOf = (own: boolean) => blocks.filter(({ isOwn }) => isOwn === own).map(({ id }) => id);
  const [own, others, lists] = await Promise.all([
    storedSeries.rowTimes(sql, idsOf(true), whole, tier),
    storedSeries.rowTimes(sql, idsOf(false), { from, to }, tier),
    readLists(sql, wanted, { from, to }, whole),
  ]);
  const there = new Set(own.at);
  const payloads = new Map<number, number>();
  for (const [index, at] of others.at.entries()) payloads.set(at, others.count[index] as number);
  for (const { time, count, hasIt } of lists) {
    const at = bucketOf(time, width);
    if (hasIt) there.add(at);
    if (count > 0) payloads.set(at, Math.max(payloads.get(at) ?? 0, count));
  }
  return [...payloads].filter(([at]) => !there.has(at)).sort(([a], [b]) => a - b);
}

/** The lists of containers of `whole`: whether they name the container, and how many of a time or minute are within the range. */
async function readLists(
  sql: Queryable,
  { organizationId, serviceId, name, tier }: Wanted,
  { from, to }: Range,
  whole: Range,
): Promise<{ time: number; count: number; hasIt: boolean }[]> {
  const span = { organizationId, serviceId, ...whole };
  const { at, hasIt } = await organizationSnapshots.containerPresence(sql, span, name);
  const lists = new Map<number, { time: number; count: number; hasIt: boolean }>();
  for (const [index, exact] of at.entries()) {
    const time = bucketOf(exact, WIDTH_MS[tier]);
    const list = lists.get(time) ?? { time, count: 0, hasIt: false };
    if (exact >= from && exact < to) list.count += 1;
    list.hasIt ||= hasIt[index] === true;
    lists.set(time, list);
  }
  return [...lists.values()];
}
