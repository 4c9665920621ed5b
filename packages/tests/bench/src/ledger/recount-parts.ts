import type { Sql } from '@tidewatch/database/connection';
import { PART_METRICS, partName, partValues } from '../load/parts.ts';
import { type Plan, tickAt } from '../load/plan.ts';
import { acknowledgedTicks } from './check.ts';
import type { Ledger } from './ledger.ts';
import { readStoredRows } from './stored-rows.ts';

/** The recount of the numbers of parts; only for a ledger without open requests. */
export interface PartsReport {
  rows: number;
  numbers: number;
  /** The first few differences, in words. */
  differences: string[];
}

const EXAMPLES = 10;

/** Compares every number of a part with what was sent. */
export async function recountParts(sql: Sql, plan: Plan, ledger: Ledger): Promise<PartsReport> {
  const report: PartsReport = { rows: 0, numbers: 0, differences: [] };
  const differ = (text: string) => {
    if (report.differences.length < EXAMPLES) report.differences.push(text);
  };
  const sent = Array.from({ length: plan.hosts }, (_, host) => acknowledgedTicks(plan, ledger, host));
  const places = new Map<string, { index: number; place: number }>(
    Array.from({ length: plan.parts }, (_, index) => index).flatMap((index) =>
      PART_METRICS.map((metric, place) => [`${partName(index)} ${metric}`, { index, place }] as const),
    ),
  );
  const blocks = await readPartBlocks(sql);
  const seen = new Set<string>();
  for await (const { block, time, values } of readStoredRows(sql, plan, [...blocks.keys()])) {
    report.rows += 1;
    const { host, slots } = blocks.get(block) as PartBlock;
    const tick = tickAt(plan, host, time);
    const row = `${block} ${time}`;
    if (tick === undefined || tick >= (sent[host] ?? 0) || seen.has(row)) {
      differ(`${seen.has(row) ? 'doubled' : 'unexpected'}: block ${block} of host ${host} at ${time}`);
      continue;
    }
    seen.add(row);
    for (const [slot, key] of slots.entries()) {
      if (key === null) continue;
      const place = places.get(key);
      const stored = values[slot];
      if (place === undefined || stored !== partValues(host, tick, place.index)[place.place])
        differ(`altered: ${key} of host ${host} tick ${tick}`);
      report.numbers += 1;
    }
  }
  const expected = sent.reduce((sum, ticks) => sum + ticks, 0) * places.size;
  if (report.numbers !== expected) differ(`${report.numbers} numbers of parts, not ${expected}`);
  return report;
}

interface PartBlock {
  host: number;
  /** What each slot has, as "name metric"; null for an empty slot. */
  slots: (string | null)[];
}

async function readPartBlocks(sql: Sql): Promise<Map<number, PartBlock>> {
  const rows = await sql<{ id: number; host: string; slots: (string | null)[] }[]>`
    select b.id, v.host,
      (select json_agg(case when m.metric <> '' then p.name || ' ' || m.metric end order by m.place)
        from unnest(b.metrics, b.parts) with ordinality as m (metric, part, place)
        left join parts p on p.organization_id = b.organization_id and p.id = m.part) as slots
    from blocks b join services v on v.organization_id = b.organization_id and v.id = b.service_id
    where b.subject_kind = 'part' and v.host like 'bench-%'`;
  return new Map(
    rows.map(({ id, host, slots }) => [id, { host: Number(host.slice('bench-'.length)), slots }]),
  );
}
