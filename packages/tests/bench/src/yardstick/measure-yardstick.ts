import { readFileSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Sql } from '@tidewatch/database/connection';
import { parseTimes } from '@tidewatch/harness/process-tree';
import { openAdmin } from '../database.ts';
import { samplesOfPayload } from '../load/plan.ts';
import { ownCpu } from '../measure/processor.ts';
import type { Yardstick, YardstickOrder } from './messages.ts';
import { prepare } from './prepare.ts';

/** The yardstick process: receives an order over its channel, and answers with its figures. */
const SAMPLES = 2_000_000;
const BODY_BYTES = 150_000_000;
const ROUNDS = 3;
const TICKS_PER_SECOND = 100;

process.once('message', (order: YardstickOrder) => {
  void measure(order).then((yardstick) => {
    process.send?.(yardstick);
    process.disconnect();
  });
});

/**
 * Measures JSON.parse of the generator's bodies in a bare loop, and binary COPY of their rows into an empty table with the
 * same unique index. Takes the minimum of three rounds, because disturbances only add time.
 */
async function measure({ plan, dataDir }: YardstickOrder): Promise<Yardstick> {
  const { payloads, bodies, copies } = prepare(
    plan,
    Math.max(1, Math.floor(SAMPLES / samplesOfPayload(plan))),
    BODY_BYTES,
  );
  const samples = payloads * samplesOfPayload(plan);
  const parses: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) parses.push(parseAll(bodies));
  const parse = Math.min(...parses) / (samples / 1e6);
  const copy = Math.min(...(await copyRounds(copies, dataDir))) / (samples / 1e6);
  return { parse, copy, total: parse + copy, samples };
}

function parseAll(bodies: readonly string[]): number {
  globalThis.gc?.();
  const before = ownCpu();
  let parsed = 0;
  for (const body of bodies) parsed += JSON.parse(body) === null ? 0 : 1;
  if (parsed !== bodies.length) throw new Error('a body was not parsed');
  return ownCpu() - before;
}

/** CPU-seconds of each round: of this process and of the backend of its one connection. */
async function copyRounds(copies: readonly Buffer[], dataDir: string): Promise<number[]> {
  const admin = openAdmin(dataDir, 'postgres');
  await admin.sql.unsafe('create database yardstick');
  const store = openAdmin(dataDir, 'yardstick', 1);
  try {
    const columns = Array.from({ length: 16 }, (_, slot) => `v${slot} float8`).join(', ');
    await store.sql.unsafe(
      `create schema tidewatch; create table tidewatch.samples ("time" timestamptz not null, block_id integer not null, ${columns})`,
    );
    await store.sql.unsafe('create unique index on tidewatch.samples (block_id, "time")');
    const rounds: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await store.sql.unsafe('truncate tidewatch.samples');
      rounds.push(await copyAll(store.sql, copies));
    }
    return rounds;
  } finally {
    await store.close();
    await admin.sql.unsafe('drop database yardstick with (force)');
    await admin.close();
  }
}

async function copyAll(sql: Sql, copies: readonly Buffer[]): Promise<number> {
  const [backend] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  globalThis.gc?.();
  const before = ownCpu() + backendCpu(backend?.pid ?? 0);
  for (const rows of copies) {
    const into: Writable = await sql.unsafe('copy tidewatch.samples from stdin (format binary)').writable();
    into.end(rows);
    await finished(into);
  }
  const [after] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  if (after?.pid !== backend?.pid) throw new Error('the yardstick lost its connection');
  return ownCpu() + backendCpu(after?.pid ?? 0) - before;
}

function backendCpu(pid: number): number {
  const times = parseTimes(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  if (times === undefined) throw new Error(`process ${pid} has no times`);
  return times.ticks / TICKS_PER_SECOND;
}
