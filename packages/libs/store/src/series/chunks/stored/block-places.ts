import type { Queryable } from '@tidewatch/database/connection';
import { logBucketOf } from '../../../sample-log/buckets.ts';
import type { Place } from '../../series-columns.ts';

/** Where the log has the records of a block. */
export interface LogPlace {
  organizationId: string;
  bucket: number;
  /** The id of the first block of its subject, by which the log names records. */
  anchor: number;
}

export type LogPlaces = ReadonlyMap<number, LogPlace>;

/** Where the log has the records of blocks whose owners are all given; undefined otherwise. */
export function logPlacesOf(places: readonly Place[]): LogPlaces | undefined {
  const found = new Map<number, LogPlace>();
  for (const { blockId, owner } of places) {
    if (owner === undefined) return undefined;
    const { organizationId, serviceId, firstBlockId } = owner;
    found.set(blockId, { organizationId, bucket: logBucketOf(serviceId), anchor: firstBlockId });
  }
  return found;
}

/** Reads where the log has the records of blocks; blocks that were removed are left out. */
export async function readLogPlaces(tx: Queryable, blockIds: readonly number[]): Promise<LogPlaces> {
  if (blockIds.length === 0) return new Map();
  const rows = (await tx
    .unsafe(
      `select b.id, b.organization_id, b.service_id, case when b.ordinal = 0 then b.id else (
          select f.id from blocks f
          where f.organization_id = b.organization_id and f.service_id = b.service_id
            and f.subject_kind = b.subject_kind and f.subject_name = b.subject_name
          order by f.ordinal limit 1) end
      from blocks b where b.id = any($1::text[]::int[])`,
      [blockIds.map(String)] as never[],
      { prepare: true },
    )
    .values()) as unknown as [id: number, organizationId: string, serviceId: string, anchor: number][];
  return new Map(
    rows.map(([id, organizationId, serviceId, anchor]) => {
      return [id, { organizationId, bucket: logBucketOf(serviceId), anchor }];
    }),
  );
}
