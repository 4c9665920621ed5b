import { SECOND_MS } from '@tidewatch/contracts/time/duration';
import type { Transaction } from '@tidewatch/database/connection';
import { bucketOf } from '@tidewatch/domain/rollup/buckets';
import { storedSeries } from '../../series/stored-series.ts';
import { storedSnapshots } from '../../snapshots/stored-snapshots.ts';
import type { FactsRequest } from './facts-request.ts';

/** The max number of payload times: two hours of one payload a second. */
const MAX_TIMES = 7_200;

/** The times of payloads of the host since `from` (ms), at most one each second, the newest if there are too many. */
export async function readPayloadTimes(
  tx: Transaction,
  { organizationId, serviceId, to }: FactsRequest,
  from: number,
): Promise<Float64Array> {
  const [blocks, snapshots] = await Promise.all([
    tx<{ id: number }[]>`
      select id from blocks
      where organization_id = ${organizationId} and service_id = ${serviceId} and subject_kind = 'host'`,
    storedSnapshots.times(tx, { organizationId, serviceId, from, to }),
  ]);
  const blockIds = blocks.map(({ id }) => id);
  const { at } = await storedSeries.rowTimes(tx, blockIds, { from, to }, 'raw');
  const seconds = new Set<number>();
  for (const time of [...snapshots, ...at]) seconds.add(bucketOf(time, SECOND_MS));
  return Float64Array.from(seconds).sort().slice(-MAX_TIMES);
}
