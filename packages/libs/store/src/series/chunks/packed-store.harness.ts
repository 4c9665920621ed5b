import type { Payload } from '@tidewatch/contracts/ingest/sample';
import { perTier } from '@tidewatch/contracts/rollups/tiers';
import { DAY_MS, HOUR_MS } from '@tidewatch/contracts/time/duration';
import { openStore, type Sql, transact } from '@tidewatch/database/connection';
import { retainedTiers } from '@tidewatch/domain/rollup/buckets';
import { openTestStore } from '@tidewatch/harness/store';
import { CONTRACT_RETENTION, type StoreUnderTest } from '../../backends/store.contract.ts';
import { PartitionSet } from '../../retention/partition-set.ts';
import { closeBatch, readClosableDays } from '../../sample-days/close-day.ts';
import { appendLog, type SubjectSample } from '../../sample-log/append-log.ts';
import { logBucketOf, SHARED_BUCKETS, sharedBucketOf } from '../../sample-log/buckets.ts';
import { Sealer } from '../../sample-log/sealer.ts';

const ORGANIZATION = 'org_a';
const SLOTS = 16;
/** Few buckets at once, so that some steps of a seal leave the others. */
const SEALED_BYTES = 4_096;
/** So that rows are those of single buckets, of shared ones, or of all: a bucket has some 900 bytes here, and four share one. */
const MIN_ROW_BYTES = [1, 1_500, 1e6];

/** A store whose log is sealed, and whose days are closed, at random moments between transactions. */
export async function openPackedStore(random: () => number): Promise<StoreUnderTest> {
  const store = await openTestStore({ sampleLayout: 'log', organizations: [ORGANIZATION] });
  const investigator = openStore({ url: store.database.urlOfRole('tidewatch_investigator'), max: 1 });
  const packed = new PackedStore(store.sql);
  return {
    organizationId: ORGANIZATION,
    sql: store.sql,
    admin: store.sql,
    investigator: investigator.sql,
    now: () => Date.now(),
    pass: () => undefined,
    async send(payloads) {
      await packed.append(payloads);
      if (random() < 0.4) await packed.seal(random() < 0.3);
      if (random() < 0.2) await packed.closeDays();
    },
    enforceRetention: async () => undefined,
    async close() {
      await investigator.close();
      await store.close();
    },
  };
}

/** An id of a host's service. All of them share one bucket. */
function serviceIdOf(host: string): string {
  for (let number = 0; ; number += 1) {
    const id = `svc_${host}_${number}`;
    if (sharedBucketOf(logBucketOf(id)) === SHARED_BUCKETS[0]) return id;
  }
}

/** Keeps payloads in the layout of the log, as the writer, its seal and its closing of days do. */
export class PackedStore {
  readonly #sql: Sql;
  readonly #sealer: Sealer;
  readonly #blocks = new Map<string, number[]>();
  readonly #slots = new Map<string, Map<string, number>>();
  readonly #backfill = new PartitionSet();
  #appended = 0;
  readonly #rawFrom = retainedTiers(
    Date.now(),
    perTier((tier) => CONTRACT_RETENTION[tier] * DAY_MS),
  ).raw;

  constructor(sql: Sql) {
    this.#sql = sql;
    this.#sealer = new Sealer({ sql, clock: closingNow, intervalMs: 1, maxBytes: SEALED_BYTES });
  }

  /** Appends payloads to the log in one transaction; those that are older than raw retention are backfilled. */
  async append(payloads: readonly Payload[]): Promise<void> {
    for (const { host, metrics } of payloads) await this.#assign(host, metrics);
    const samples = payloads.map((payload) => this.#sampleOf(payload));
    await transact(this.#sql, async (tx) => {
      const late = samples.filter(({ time }) => time < this.#rawFrom);
      for (const sample of late) await this.#addBackfill(tx as unknown as Sql, sample);
      const kept = samples.filter(({ time }) => time >= this.#rawFrom);
      await appendLog(tx, kept, MIN_ROW_BYTES[this.#appended++ % MIN_ROW_BYTES.length]);
    });
  }

  /** Seals all of the log, or only some of its buckets. */
  async seal(isAll = true): Promise<void> {
    if (isAll) await this.#sealer.sealAll();
    else for (let step = 0; step < 3; step += 1) await this.#sealer.step();
  }

  /** Closes some blocks of the days that have ended. */
  async closeDays(): Promise<void> {
    const now = closingNow();
    for (const day of await readClosableDays(this.#sql, now))
      await closeBatch(this.#sql, day, { now, maxChunks: 30 });
  }

  /** Gives metrics of a host the next slots of its blocks. */
  async #assign(host: string, metrics: readonly string[]): Promise<void> {
    let slots = this.#slots.get(host);
    if (slots === undefined) {
      await this.#sql`
        insert into services (organization_id, id, host, first_seen, status_since)
        values (${ORGANIZATION}, ${serviceIdOf(host)}, ${host}, now(), now())`;
      slots = new Map();
      this.#slots.set(host, slots);
      this.#blocks.set(host, []);
    }
    const blocks = this.#blocks.get(host) as number[];
    for (const metric of metrics) {
      if (slots.has(metric)) continue;
      const place = slots.size;
      slots.set(metric, place);
      if (place % SLOTS === 0) {
        const [row] = await this.#sql<{ id: number }[]>`
          insert into blocks (organization_id, service_id, subject_kind, subject_name, ordinal)
          values (${ORGANIZATION}, ${serviceIdOf(host)}, 'host', ${host}, ${place / SLOTS}) returning id`;
        blocks.push((row as { id: number }).id);
      }
      await this.#sql`
        update blocks set metrics = metrics || ${metric}::text where id = ${blocks.at(-1) as number}`;
    }
  }

  #sampleOf({ host, time, metrics, values }: Payload): SubjectSample {
    const blocks = this.#blocks.get(host) as number[];
    const numbers = new Float64Array(blocks.length * SLOTS).fill(Number.NaN);
    for (const [index, metric] of metrics.entries())
      numbers[this.#slots.get(host)?.get(metric) as number] = values[index] as number;
    const used = blocks.filter((_, block) =>
      numbers.subarray(block * SLOTS, (block + 1) * SLOTS).some((value) => !Number.isNaN(value)),
    );
    return {
      organizationId: ORGANIZATION,
      serviceId: serviceIdOf(host),
      anchor: blocks[0] as number,
      time,
      ids: used,
      values: used.flatMap((id) => {
        const block = blocks.indexOf(id);
        return [...numbers.subarray(block * SLOTS, (block + 1) * SLOTS)];
      }),
    };
  }

  async #addBackfill(sql: Sql, { time, ids, values }: SubjectSample): Promise<void> {
    await this.#backfill.ensure(sql, 'samples_backfill', [time]);
    for (const [index, blockId] of ids.entries()) {
      const own = Array.from({ length: SLOTS }, (_, slot) => values[index * SLOTS + slot] as number);
      const present = own.flatMap((value, slot) =>
        Number.isNaN(value) ? [] : [{ column: `v${slot}`, value }],
      );
      const columns = present.map(({ column }) => column);
      await sql.unsafe(
        `insert into samples_backfill ("time", block_id, ${columns.join(', ')})
        values ($1::timestamptz, $2, ${columns.map((_, at) => `$${at + 3}`).join(', ')})
        on conflict (block_id, "time") do update set ${columns.map((column) => `${column} = excluded.${column}`).join(', ')}`,
        [time, blockId, ...present.map(({ value }) => value)] as never[],
      );
    }
  }
}

/** By this clock, yesterday may be closed at any time of the day, and today may not (ms). */
const closingNow = () => Date.now() + 3 * HOUR_MS;
