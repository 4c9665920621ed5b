import { createBodyBuilder } from '../load/body.ts';
import type { Plan } from '../load/plan.ts';
import { openSequence } from '../load/sequence.ts';

const ROWS_PER_COPY = 1_000;
const ROW_BYTES = 2 + 12 + 8 + 16 * 12;
const EPOCH_2000_MS = 946_684_800_000;

export interface Prepared {
  payloads: number;
  /** The bodies of requests as flat strings; one made of pieces would be joined during the measurement. */
  bodies: string[];
  /** Binary COPY streams of at most a thousand rows. */
  copies: Buffer[];
}

/**
 * The first requests of every connection, exactly as the generator sends them, and their hosts' metrics as rows of sixteen
 * slots. At most `payloads` payloads and `bytes` of bodies, and at least one request.
 */
export function prepare(plan: Plan, payloads: number, bytes: number): Prepared {
  const build = createBodyBuilder(plan);
  const sequences = Array.from({ length: plan.connections }, (_, index) => openSequence(plan, index));
  const taken = new Array<number>(plan.connections).fill(0);
  const bodies: string[] = [];
  const rows: Buffer[] = [];
  let count = 0;
  let size = 0;
  for (let moved = true; moved && count < payloads && size < bytes; ) {
    moved = false;
    for (const [connection, sequence] of sequences.entries()) {
      const left = sequence.total - (taken[connection] as number);
      const length = Math.min(plan.payloadsPerRequest, left);
      if (length === 0 || count >= payloads || size >= bytes) continue;
      const open: string[] = [];
      for (let index = 0; index < length; index += 1) {
        const payload = sequence.next();
        open.push(build(payload));
        for (let from = 0; from < plan.metrics; from += 16) {
          const block = payload.host * 32 + from / 16;
          rows.push(encodeRow(payload.time, block, payload.values.subarray(from, from + 16)));
        }
      }
      const body = flat(length === 1 ? (open[0] as string) : `[${open.join(',')}]`);
      bodies.push(body);
      taken[connection] = (taken[connection] as number) + length;
      count += length;
      size += body.length;
      moved = true;
    }
  }
  return { payloads: count, bodies, copies: toCopies(rows) };
}

/** A string that was decoded from bytes, like a body that a server received. */
function flat(text: string): string {
  return Buffer.from(text, 'latin1').toString('latin1');
}

function toCopies(rows: readonly Buffer[]): Buffer[] {
  const head = Buffer.concat([Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1'), Buffer.alloc(8)]);
  const copies: Buffer[] = [];
  for (let from = 0; from < rows.length; from += ROWS_PER_COPY)
    copies.push(Buffer.concat([head, ...rows.slice(from, from + ROWS_PER_COPY), Buffer.from([0xff, 0xff])]));
  return copies;
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
