import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { cpuSeconds } from '@tidewatch/testkit/process-tree';
import { openAdmin } from './database.ts';
import { createBodyBuilder } from './load/body.ts';
import { hostsOf, type Plan, samplesOfPayload, timeOf } from './load/plan.ts';
import { createWalk } from './load/walk.ts';

/** CPU-seconds for a million samples of what no such service can do without, on this machine, now. */
export interface Yardstick {
  parse: number;
  copy: number;
  total: number;
}

const SAMPLES = 2_000_000;
const ROWS_PER_COPY = 1_000;
const ROW_BYTES = 2 + 12 + 8 + 16 * 12;
const EPOCH_2000_MS = 946_684_800_000;

/** JSON.parse of the same bodies in a bare loop, and binary COPY of the hosts' rows into an empty, indexed table. */
export async function measureYardstick(plan: Plan, dataDir: string, rootPid: number): Promise<Yardstick> {
  const payloads = Math.min(plan.hosts * plan.ticks, Math.floor(SAMPLES / plan.metrics));
  const { bodies, copies } = prepare(plan, payloads);
  const millions = (payloads * samplesOfPayload(plan)) / 1e6;
  const parse = parseAll(bodies) / millions;
  const copy = (await copyAll(copies, dataDir, rootPid)) / millions;
  return { parse, copy, total: parse + copy };
}

function ownCpu(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

function parseAll(bodies: readonly string[]): number {
  const before = ownCpu();
  let parsed = 0;
  for (const body of bodies) parsed += JSON.parse(body) === null ? 0 : 1;
  if (parsed !== bodies.length) throw new Error('a body was not parsed');
  return ownCpu() - before;
}

async function copyAll(copies: readonly Buffer[], dataDir: string, rootPid: number): Promise<number> {
  const admin = openAdmin(dataDir, 'postgres');
  await admin.sql.unsafe('create database yardstick');
  const store = openAdmin(dataDir, 'yardstick');
  try {
    const columns = Array.from({ length: 16 }, (_, slot) => `v${slot} float8`).join(', ');
    await store.sql.unsafe(
      `create schema tidewatch; create table tidewatch.samples ("time" timestamptz not null, block_id integer not null, ${columns})`,
    );
    await store.sql.unsafe('create unique index on tidewatch.samples (block_id, "time")');
    const before = ownCpu() + cpuSeconds(rootPid);
    for (const rows of copies) {
      const into: Writable = await store.sql
        .unsafe('copy tidewatch.samples from stdin (format binary)')
        .writable();
      into.end(rows);
      await finished(into);
    }
    return ownCpu() + cpuSeconds(rootPid) - before;
  } finally {
    await store.close();
    await admin.sql.unsafe('drop database yardstick with (force)');
    await admin.close();
  }
}

/** The first `payloads` of the plan as bodies and as the same rows of the same sixteen slots, in the generator's order. */
function prepare(plan: Plan, payloads: number): { bodies: string[]; copies: Buffer[] } {
  const build = createBodyBuilder(plan);
  const share = Math.ceil(payloads / plan.connections);
  const bodies: string[] = [];
  const rows: Buffer[] = [];
  let open: string[] = [];
  for (let connection = 0; connection < plan.connections; connection += 1) {
    const hosts = hostsOf(plan, connection);
    const walks = hosts.map((host) => createWalk(plan, host));
    for (let position = 0; position < share && position < hosts.length * plan.ticks; position += 1) {
      const at = position % hosts.length;
      const host = hosts[at] as number;
      const tick = Math.floor(position / hosts.length);
      const time = timeOf(plan, host, tick);
      const values = (walks[at] as ReturnType<typeof createWalk>).values;
      walks[at]?.next();
      open.push(build(host, tick, new Date(time).toISOString(), values));
      for (let from = 0; from < plan.metrics; from += 16)
        rows.push(encodeRow(time, host * 32 + from / 16, values.subarray(from, from + 16)));
      if (open.length < plan.payloadsPerRequest) continue;
      bodies.push(open.length === 1 ? (open[0] as string) : `[${open.join(',')}]`);
      open = [];
    }
  }
  const head = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
  const copies: Buffer[] = [];
  for (let from = 0; from < rows.length; from += ROWS_PER_COPY) {
    copies.push(Buffer.concat([head, ...rows.slice(from, from + ROWS_PER_COPY), Buffer.from([0xff, 0xff])]));
  }
  return { bodies, copies };
}

function encodeRow(time: number, block: number, values: Int32Array): Buffer {
  const row = Buffer.allocUnsafe(ROW_BYTES);
  let at = row.writeInt16BE(18, 0);
  at = row.writeInt32BE(8, at);
  at = row.writeBigInt64BE(BigInt(time - EPOCH_2000_MS) * 1000n, at);
  at = row.writeInt32BE(4, at);
  at = row.writeInt32BE(block, at);
  for (let slot = 0; slot < 16; slot += 1) {
    const value = values[slot];
    at = row.writeInt32BE(value === undefined ? -1 : 8, at);
    if (value !== undefined) at = row.writeDoubleBE(value / 100, at);
  }
  return row.subarray(0, at);
}
