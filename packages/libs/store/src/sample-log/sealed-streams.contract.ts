import { DAY_MS, HOUR_MS } from '@tidewatch/contracts/time/duration';
import { type Sql, transact } from '@tidewatch/database/connection';
import { expect, it } from 'vitest';
import { closeBatch } from '../sample-days/close-day.ts';
import { appendLog, type SubjectSample } from './append-log.ts';
import { ORGANIZATION, readSealed, readSealedLatest, SealedFleet } from './sealed-fleet.harness.ts';
import { Sealer } from './sealer.ts';

const NOON = Date.UTC(2026, 10, 29, 12);
const HOSTS = 12;
const BLOCKS = 2;

/** A random stream, by its seed, and how many bytes of the log a transaction seals. */
export interface SealedStream {
  seed: number;
  maxBytes: number;
}

/**
 * What a database that keeps samples as a log stores of random streams, compared with a naive model. `open` opens one without
 * samples.
 */
export function describeSealedStreams(
  streams: readonly SealedStream[],
  randomOf: (seed: number) => () => number,
  open: () => Promise<Sql>,
): void {
  it.each(streams)(
    'stores late, repeated, altered and partial samples as a naive model does, with $maxBytes bytes a transaction and seed $seed',
    async ({ seed, maxBytes }) => {
      const sql = await open();
      const random = randomOf(seed);
      const fleet = new SealedFleet(sql);
      await sql`insert into organizations (id, name) values (${ORGANIZATION}, 'test') on conflict do nothing`;
      await fleet.addHosts(HOSTS, BLOCKS);
      let now = NOON;
      const damaged: unknown[] = [];
      const report = (damage: unknown) => damaged.push(damage);
      const sealer = new Sealer({ sql, clock: () => now, maxBytes, intervalMs: 60_000, damaged: report });
      const sent: SubjectSample[] = [];
      for (let round = 0; round < 50; round += 1) {
        now += Math.floor(random() * 3) * 20_000;
        if (round === 25) {
          // Two hours into the next day the one before is closed, and what comes late is merged into it.
          await sealer.sealAll();
          now += 14 * HOUR_MS;
          await closeDays(sql, now);
        }
        const samples = draw(random, fleet, now, sent);
        sent.push(...samples);
        // In rows of single buckets, of shared ones, or of all.
        const minRowBytes = [1, 60 + random() * 200, 1e6][Math.floor(random() * 3)];
        await transact(sql, (tx) => appendLog(tx, samples, minRowBytes));
        fleet.committed(samples, now);
        for (let steps = Math.floor(random() * 4); steps > 0; steps -= 1) await sealer.step();
      }
      await sealer.sealAll();
      expect(damaged).toEqual([]);
      expect(await sql`select bucket, seq from sample_log`).toEqual([]);
      expect(await readSealed(sql)).toEqual(fleet.wanted);
      expect(await readSealedLatest(sql)).toEqual(fleet.wantedLatest);
    },
  );
}

async function closeDays(sql: Sql, now: number): Promise<void> {
  const today = Math.floor(now / DAY_MS) * DAY_MS;
  for (const day of [today - 2 * DAY_MS, today - DAY_MS])
    while (!(await closeBatch(sql, day, { now, maxChunks: 7 })).isDone);
}

/** Samples of one transaction: in order, late, repeated with other values, or in parts. */
function draw(
  random: () => number,
  fleet: SealedFleet,
  now: number,
  sent: readonly SubjectSample[],
): SubjectSample[] {
  const count = 1 + Math.floor(random() ** 3 * 40);
  const samples = Array.from({ length: count }, () => {
    const again = random() < 0.4 ? sent[Math.floor((1 - random() ** 3) * sent.length)] : undefined;
    if (again !== undefined) return random() < 0.5 ? again : { ...again, values: altered(again, random) };
    const late = random() < 0.1 ? Math.floor(random() * 30) * HOUR_MS : 0;
    const ahead = random() < 0.02 ? HOUR_MS : 0;
    const blocks = Array.from({ length: BLOCKS }, () => {
      const slots = Array.from({ length: 16 }, (_, slot) => slot).filter(() => random() < 0.3);
      return Object.fromEntries(slots.map((slot) => [slot, Math.round(random() * 1e5) / 100]));
    });
    if (blocks.every((slots) => Object.keys(slots).length === 0)) blocks[0] = { 3: 1 };
    const time = now - late + ahead - Math.floor(random() * 12) * 10_000;
    return fleet.sampleOf(Math.floor(random() * HOSTS), time, blocks);
  });
  // A writer has each block and time once in a transaction.
  return [...new Map(samples.map((sample) => [`${sample.anchor} ${sample.time}`, sample])).values()];
}

const altered = ({ values }: SubjectSample, random: () => number) =>
  Array.from(values, (value) => (random() < 0.5 ? Number.NaN : value + 1));
