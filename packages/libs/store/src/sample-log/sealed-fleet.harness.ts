import { DAY_MS, MINUTE_MS } from '@tidewatch/contracts/time/duration';
import type { Sql } from '@tidewatch/database/connection';
import { decodeChunk } from '@tidewatch/domain/chunk/chunk';
import { SLOTS_PER_BLOCK } from '@tidewatch/domain/series/slots';
import { createBlocks } from '../samples/block-rows.ts';
import type { SubjectSample } from './append-log.ts';
import { logBucketOf } from './buckets.ts';

export const ORGANIZATION = 'org_test';
const SKEW_MS = 5 * MINUTE_MS;
/** Services of three shared buckets, of which each has several. */
const MAX_BUCKET = 48;
let services = 0;

function newServiceId(): string {
  let id = '';
  do id = `svc_${++services}`;
  while (logBucketOf(id) >= MAX_BUCKET);
  return id;
}

/** The values of a block by time and slot. */
type Rows = Map<number, Record<number, number>>;

/** The service that samples belong to. */
export interface FleetHost {
  serviceId: string;
  blockIds: number[];
}

/** Hosts with blocks in the database, and what has to be stored of them. */
export class SealedFleet {
  readonly hosts: FleetHost[] = [];
  readonly #sql: Sql;
  readonly #stored = new Map<number, Rows>();
  readonly #latest = new Map<number, Record<number, [time: number, value: number]>>();

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** Creates hosts in the organization, which has to exist. */
  async addHosts(count: number, blocks: number): Promise<void> {
    const ids = Array.from({ length: count }, newServiceId);
    await this.#sql`
      insert into services (organization_id, id, host, first_seen, status_since)
      select ${ORGANIZATION}, id, id, now(), now() from unnest(${ids}::text[]) as s (id)`;
    const wanted = ids.flatMap((serviceId) =>
      Array.from({ length: blocks }, (_, ordinal) => ({
        serviceId,
        subjectKind: 'host' as const,
        subjectName: '',
        ordinal,
        metrics: Array.from({ length: SLOTS_PER_BLOCK }, (__, slot) => `m${ordinal}_${slot}`),
      })),
    );
    const blockIds = await this.#sql.begin((tx) => createBlocks(tx, ORGANIZATION, wanted));
    for (const [at, serviceId] of ids.entries())
      this.hosts.push({ serviceId, blockIds: blockIds.slice(at * blocks, (at + 1) * blocks) });
  }

  /** The values of a host at a time; `values` has a record of slots for each of its blocks. */
  sampleOf(host: number, time: number, values: readonly Record<number, number>[]): SubjectSample {
    const { serviceId, blockIds } = this.hosts[host] as FleetHost;
    const present = blockIds.filter((_, block) => Object.keys(values[block] ?? {}).length > 0);
    return {
      organizationId: ORGANIZATION,
      serviceId,
      anchor: blockIds[0] as number,
      time,
      ids: present,
      values: present.flatMap((id) => {
        const own = values[blockIds.indexOf(id)] as Record<number, number>;
        return Array.from({ length: SLOTS_PER_BLOCK }, (_, slot) => own[slot] ?? Number.NaN);
      }),
    };
  }

  /** Notes what was committed; `now`: the time of the seal that follows, ms. */
  committed(samples: readonly SubjectSample[], now: number): void {
    for (const { time, ids, values } of samples)
      for (const [block, id] of ids.entries()) {
        const own = Array.from({ length: SLOTS_PER_BLOCK }, (_, slot) => [
          slot,
          values[block * SLOTS_PER_BLOCK + slot] as number,
        ]).filter(([, value]) => !Number.isNaN(value)) as [number, number][];
        const rows = entryOf(this.#stored, id, (): Rows => new Map());
        rows.set(time, { ...rows.get(time), ...Object.fromEntries(own) });
        const latest = entryOf(this.#latest, id, () => ({}) as Record<number, [number, number]>);
        if (time > now + SKEW_MS) continue;
        for (const [slot, value] of own)
          if (time >= (latest[slot]?.[0] ?? Number.NEGATIVE_INFINITY)) latest[slot] = [time, value];
      }
  }

  /** Forgets a host, whose samples have to be discarded. */
  forget(host: number): void {
    for (const id of (this.hosts[host] as FleetHost).blockIds) {
      this.#stored.delete(id);
      this.#latest.delete(id);
    }
  }

  get wanted(): Record<number, [time: number, values: Record<number, number>][]> {
    return Object.fromEntries(
      [...this.#stored].map(([id, rows]) => [id, [...rows].sort(([a], [b]) => a - b)]),
    );
  }

  get wantedLatest(): Record<number, Record<number, [time: number, value: number]>> {
    return Object.fromEntries(this.#latest);
  }
}

function entryOf<K, V>(map: Map<K, V>, key: K, open: () => V): V {
  const value = map.get(key) ?? open();
  map.set(key, value);
  return value;
}

/** Reads all samples in chunks and closed days, by block. Throws if chunks overlap, cross midnight or stand in a closed day. */
export async function readSealed(sql: Sql): Promise<SealedFleet['wanted']> {
  const chunks = await sql<{ block_id: number; first: number; last: number; data: Buffer }[]>`
    select block_id, first, last, data from sample_chunks c
    where not exists (select from sample_days d where d.block_id = c.block_id and d.day = (c.first at time zone 'UTC')::date)
    order by block_id, first`;
  let before = { block_id: 0, last: 0 };
  for (const chunk of chunks) {
    const { times } = decodeChunk(chunk.data);
    if (times[0] !== chunk.first || times.at(-1) !== chunk.last) throw new Error('a chunk has other times');
    if (chunk.block_id === before.block_id && chunk.first <= before.last) throw new Error('chunks overlap');
    if (Math.floor(chunk.first / DAY_MS) !== Math.floor(chunk.last / DAY_MS))
      throw new Error('a chunk crosses midnight');
    before = chunk;
  }
  const days = await sql<{ block_id: number; data: Buffer }[]>`select block_id, data from sample_days`;
  const found = new Map<number, [number, Record<number, number>][]>();
  for (const { block_id, data } of [...chunks, ...days]) {
    const { times, slots } = decodeChunk(data);
    const rows = entryOf(found, block_id, () => []);
    for (const [row, time] of times.entries()) {
      const values = slots.map((column, slot) => [slot, column?.[row] ?? Number.NaN] as const);
      rows.push([time, Object.fromEntries(values.filter(([, value]) => !Number.isNaN(value)))]);
    }
  }
  return Object.fromEntries([...found].map(([id, rows]) => [id, rows.sort(([a], [b]) => a - b)]));
}

/** Reads the latest values of blocks by slot. */
export async function readSealedLatest(sql: Sql): Promise<SealedFleet['wantedLatest']> {
  const rows = await sql<{ block_id: number; times: number[]; vals: number[] }[]>`
    select block_id, times, vals from block_latest`;
  // The driver reads a null in an array as NaN.
  return Object.fromEntries(
    rows.map(({ block_id, times, vals }) => [
      block_id,
      Object.fromEntries(
        times.flatMap((time, slot) => (Number.isNaN(time) ? [] : [[slot, [time, vals[slot] as number]]])),
      ) as Record<number, [number, number]>,
    ]),
  );
}
