import { toIso } from '@tidewatch/contracts/time/time';
import type { Queryable } from '@tidewatch/database/connection';

/** The time up to which the records of a partition are evaluated, by the clock of the gateways, ms. */
export interface PipelineClock {
  partition: number;
  partitions: number;
  completeUntil: number;
}

/** Advances the clocks of partitions, never back, and deletes clocks of another number of partitions. */
export async function writePipelineClocks(tx: Queryable, clocks: readonly PipelineClock[]): Promise<void> {
  const partitions = clocks[0]?.partitions;
  if (partitions === undefined) return;
  const rows = clocks.map(({ partition, completeUntil }) => ({ partition, at: toIso(completeUntil) }));
  await tx`
    with gone as (delete from pipeline_clocks where partitions <> ${partitions})
    insert into pipeline_clocks as c (partition, partitions, complete_until)
    select partition, ${partitions}, at
    from json_to_recordset(${JSON.stringify(rows)}::text::json) as r(partition integer, at timestamptz)
    order by partition
    on conflict (partition) do update set
      partitions = excluded.partitions,
      complete_until = case when c.partitions = excluded.partitions
        then greatest(c.complete_until, excluded.complete_until) else excluded.complete_until end`;
}

/** Reads the pipeline clocks of all partitions. */
export async function readPipelineClocks(sql: Queryable): Promise<PipelineClock[]> {
  return sql<PipelineClock[]>`
    select partition, partitions, complete_until as "completeUntil" from pipeline_clocks`;
}
