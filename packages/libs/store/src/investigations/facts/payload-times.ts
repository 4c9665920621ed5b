import { toIso } from '@tidewatch/contracts/time/time';
import type { Transaction } from '@tidewatch/database/connection';
import type { FactsRequest } from './facts-request.ts';

/** The max number of payload times: two hours of one payload a second. */
const MAX_TIMES = 7_200;

/** The times of payloads of the host since `from` (ms), at most one each second, the newest if there are too many. */
export async function readPayloadTimes(
  tx: Transaction,
  { organizationId, serviceId, to }: FactsRequest,
  from: number,
): Promise<Float64Array> {
  const rows = await tx<{ time: number }[]>`
    select date_trunc('second', sent."time") as "time" from (
      select x."time" from blocks b
      cross join lateral (
        select r."time" from samples r
        where r.block_id = b.id and r."time" >= ${toIso(from)}::timestamptz and r."time" < ${toIso(to)}::timestamptz
        offset 0
      ) x
      where b.organization_id = ${organizationId} and b.service_id = ${serviceId} and b.subject_kind = 'host'
      union all
      select s."time" from snapshots s
      where s.organization_id = ${organizationId} and s.service_id = ${serviceId}
        and s."time" >= ${toIso(from)}::timestamptz and s."time" < ${toIso(to)}::timestamptz
    ) sent
    group by 1 order by 1 desc limit ${MAX_TIMES}`;
  return Float64Array.from(rows, ({ time }) => time).reverse();
}
