import type { Sql } from '@tidewatch/database/connection';
import { decodeRecord } from '@tidewatch/domain/chunk/log-record';
import { readLogRecords } from '@tidewatch/domain/chunk/log-row';

/** Reads what counts of the log: by host, subject, metric and time the value that came last. */
export async function readLoggedSamples(sql: Sql): Promise<Map<string, number>> {
  const blocks = await sql<
    { id: number; host: string; kind: string; name: string; metrics: string[]; parts: (string | null)[] }[]
  >`
    select b.id, s.host, b.subject_kind as kind, b.subject_name as name, b.metrics,
      array(select p.name from unnest(b.parts) with ordinality as u (id, n) join parts p on p.id = u.id order by n) as parts
    from blocks b join services s on s.id = b.service_id`;
  const byId = new Map(blocks.map((block) => [block.id, block]));
  const rows = await sql<
    { seq: number; data: Buffer }[]
  >`select seq, data from sample_log order by seq, bucket`;
  const samples = new Map<string, number>();
  for (const { data } of rows)
    for (const record of readLogRecords(data, () => true))
      decodeRecord(record, ({ id, time, values }) => {
        const block = byId.get(id);
        if (block === undefined) throw new Error(`the log has the block ${id}, which is not stored`);
        for (const [slot, value] of values.entries())
          if (!Number.isNaN(value))
            samples.set(
              [block.host, block.kind, block.parts[slot] ?? block.name, block.metrics[slot], time].join(' '),
              value,
            );
      });
  return samples;
}
