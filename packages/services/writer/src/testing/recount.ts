import { ROLLUP_TIERS, type RollupTier } from '@tidewatch/contracts/rollups/tiers';
import type { Sql } from '@tidewatch/database/connection';

const SLOTS = Array.from({ length: 16 }, (_, slot) => slot);

export interface StoredSample {
  host: string;
  subject: string;
  metric: string;
  time: number;
  value: number;
}

/** Every stored sample, raw and backfilled, with the host, subject and metric of its block and slot. */
export async function readSamples(sql: Sql): Promise<StoredSample[]> {
  return await sql.unsafe<StoredSample[]>(`
    select v.host, coalesce(p.kind || ':' || p.name, b.subject_name) as subject, m.metric, s.time, x.value
    from (select * from samples union all select * from samples_backfill) s
    join blocks b on b.id = s.block_id join services v on v.id = b.service_id
    cross join lateral (values ${SLOTS.map((slot) => `(${slot}, s.v${slot})`).join(', ')}) as x (slot, value)
    cross join lateral (select b.metrics[x.slot + 1] as metric, b.parts[x.slot + 1] as part) m
    left join parts p on p.organization_id = b.organization_id and p.id = m.part
    where x.value is not null order by 1, 2, 3, 4`);
}

/**
 * Returns the rows of a rollup tier that differ from a recount of `samples`, among the buckets that readers may use; empty
 * if the rollups are right.
 */
export async function disagreeing(sql: Sql, tier: RollupTier) {
  const unit = { '1m': 'minute', '1h': 'hour', '1d': 'day' }[tier];
  const finer = ROLLUP_TIERS.slice(0, ROLLUP_TIERS.indexOf(tier) + 1);
  return await sql.unsafe(`
    with usable as (
      select block_id, date_trunc('${unit}', open_${tier}, 'UTC') as until
      from rollup_standing(array(select id from blocks))
    ), stale as (
      select block_id, date_trunc('${unit}', bucket, 'UTC') as bucket
      from stale_buckets(array(select id from blocks), '-infinity', 'infinity')
      where tier in (${finer.map((each) => `'${each}'`).join(', ')})
    ), counted as (
      select block_id, date_trunc('${unit}', time, 'UTC') as bucket,
        ${SLOTS.map((s) => `sum(v${s}) as sum${s}, nullif(count(v${s}), 0) as cnt${s}, min(v${s}) as min${s}, max(v${s}) as max${s}`).join(', ')}
      from samples group by 1, 2
    )
    select c.block_id, c.bucket, '${tier}' as tier, c.cnt0, r.cnt0 as stored
    from counted c join usable u on u.block_id = c.block_id and c.bucket < u.until
    left join rollup_${tier} r on r.block_id = c.block_id and r.bucket = c.bucket
    where not exists (select from stale d where d.block_id = c.block_id and d.bucket = c.bucket)
      and (${SLOTS.map(
        (s) => `r.cnt${s} is distinct from c.cnt${s} or r.min${s} is distinct from c.min${s}
          or r.max${s} is distinct from c.max${s} or abs(r.sum${s} - c.sum${s}) > 1e-6`,
      ).join(' or ')})`);
}
