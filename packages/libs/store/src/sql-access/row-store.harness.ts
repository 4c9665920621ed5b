import type { Payload } from '@tidewatch/contracts/ingest/sample';
import { DAY_MS } from '@tidewatch/contracts/time/duration';
import type { Sql } from '@tidewatch/database/connection';
import { retainedFrom } from '@tidewatch/domain/rollup/buckets';
import { CONTRACT_RETENTION } from '../backends/store.contract.ts';
import { PartitionSet } from '../retention/partition-set.ts';

const SLOTS = 16;
/** The streams of the contract of series have metrics m0, m1 and so on. */
const METRICS = 18;

interface Row {
  time: number;
  blockId: number;
  values: (string | null)[];
}

/** Keeps payloads of the streams of the contract of series as rows, without rollups. */
export class RowStore {
  readonly #sql: Sql;
  readonly #organizationId: string;
  readonly #blocks = new Map<string, number[]>();
  readonly #partitions = new PartitionSet();
  readonly #rawFrom: number;

  constructor(sql: Sql, organizationId: string) {
    this.#sql = sql;
    this.#organizationId = organizationId;
    const kept = { raw: CONTRACT_RETENTION.raw * DAY_MS, '1m': 0, '1h': 0, '1d': 0 };
    this.#rawFrom = retainedFrom('raw', Date.now(), kept);
  }

  async append(payloads: readonly Payload[]): Promise<void> {
    const rows = new Map<string, Row>();
    for (const { host, time, metrics, values } of payloads) {
      const blocks = this.#blocks.get(host) ?? (await this.#addHost(host));
      for (const [index, metric] of metrics.entries()) {
        const place = Number(metric.slice(1));
        const blockId = blocks[Math.floor(place / SLOTS)] as number;
        const key = `${blockId}/${time}`;
        const row = rows.get(key) ?? { time, blockId, values: new Array(SLOTS).fill(null) };
        rows.set(key, row);
        const value = values[index] as number;
        row.values[place % SLOTS] = Object.is(value, -0) ? '-0' : String(value);
      }
    }
    const isLate = ({ time }: Row) => time < this.#rawFrom;
    await this.#write(
      'samples',
      [...rows.values()].filter((row) => !isLate(row)),
    );
    await this.#write('samples_backfill', [...rows.values()].filter(isLate));
  }

  async #addHost(host: string): Promise<number[]> {
    const serviceId = `svc_${host}`;
    await this.#sql`
      insert into services (organization_id, id, host, first_seen, status_since)
      values (${this.#organizationId}, ${serviceId}, ${host}, now(), now())`;
    const names = Array.from({ length: METRICS }, (_, place) => `m${place}`);
    const blocks: number[] = [];
    for (let ordinal = 0; ordinal * SLOTS < METRICS; ordinal += 1) {
      const [row] = await this.#sql<{ id: number }[]>`
        insert into blocks (organization_id, service_id, subject_kind, subject_name, ordinal, metrics)
        values (${this.#organizationId}, ${serviceId}, 'host', '', ${ordinal},
          ${names.slice(ordinal * SLOTS, (ordinal + 1) * SLOTS)}) returning id`;
      blocks.push((row as { id: number }).id);
    }
    this.#blocks.set(host, blocks);
    return blocks;
  }

  async #write(relation: 'samples' | 'samples_backfill', rows: readonly Row[]): Promise<void> {
    if (rows.length === 0) return;
    await this.#partitions.ensure(
      this.#sql,
      relation,
      rows.map(({ time }) => time),
    );
    const slots = Array.from({ length: SLOTS }, (_, slot) => slot);
    await this.#sql.unsafe(
      `insert into ${relation} as stored ("time", block_id, ${slots.map((n) => `v${n}`).join(', ')})
      select to_timestamp(u.time::float8 / 1000), u.block::int, ${slots.map((n) => `u.v${n}::float8`).join(', ')}
      from unnest($1::text[], $2::text[], ${slots.map((n) => `$${n + 3}::text[]`).join(', ')})
        as u (time, block, ${slots.map((n) => `v${n}`).join(', ')})
      on conflict (block_id, "time") do update set ${slots.map((n) => `v${n} = coalesce(excluded.v${n}, stored.v${n})`).join(', ')}`,
      [
        rows.map(({ time }) => String(time)),
        rows.map(({ blockId }) => String(blockId)),
        ...slots.map((slot) => rows.map(({ values }) => values[slot])),
      ] as never[],
    );
    if (relation === 'samples') await this.#writeLatest(rows);
  }

  /** Writes the newest value of each slot that is written, as the flush of the writer does. */
  async #writeLatest(rows: readonly Row[]): Promise<void> {
    const slots = Array.from({ length: SLOTS }, (_, slot) => slot);
    const newest = (column: (slot: number) => string) =>
      slots.map(
        (n) => `(select ${column(n)} from samples s where s.block_id = b.id and s.v${n} is not null
        order by s."time" desc limit 1)`,
      );
    await this.#sql.unsafe(
      `insert into block_latest (block_id, applied_at, times, vals)
      select b.id, now(), array[${newest(() => 's."time"')}], array[${newest((n) => `s.v${n}`)}] from blocks b where b.id = any($1::text[]::int[])
      on conflict (block_id) do update set times = excluded.times, vals = excluded.vals`,
      [[...new Set(rows.map(({ blockId }) => String(blockId)))]] as never[],
    );
  }
}
