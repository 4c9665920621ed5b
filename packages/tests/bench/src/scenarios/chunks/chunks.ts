import { type ChunkColumns, ChunkReader, encodeChunk } from '@tidewatch/domain/chunk/chunk';
import { decodeRecord } from '@tidewatch/domain/chunk/log-record';
import { encodeLogRow, LogRecords, readLogRecords } from '@tidewatch/domain/chunk/log-row';
import { encodeRollupRow, RollupRowReader } from '@tidewatch/domain/chunk/rollup-row';
import { ownCpu } from '../../measure/processor.ts';
import { number, table } from '../../report/table.ts';
import type { Scenario } from '../../scenario.ts';
import { makeChunks, makePayloads, PAYLOAD_MS, rollUp } from './chunk-load.ts';
import { SERIES_KINDS } from './recorded-series.ts';

/** The rows of chunks of five and ten minutes, an hour and a day, 10 s apart. */
const ROWS = [30, 60, 360, 8_640] as const;
const SAMPLES = 500_000;
const WARM_UPS = 3;
const ROUNDS = 7;
const DAY_ROWS = 8_640;
const MINUTES = 1_440;
const HOURS = 24;

/** Figures of one kind of bytes: bytes a sample, and CPU-seconds a million samples. */
interface FormatResult {
  name: string;
  bytes: number;
  encode: number;
  decode: number;
  /** Of reading one slot of sixteen, for a million samples of that slot; of log rows, one host for all samples of the row. */
  decodeOne: number;
}

export const chunks: Scenario = {
  measures:
    'bytes a sample and the processor time of log rows, chunks and rollup rows, packed and read in memory',
  options: [],
  keepsSamples: false,
  standsAlone: 'no product',
  async run(_options, print) {
    const results = [
      ...ROWS.map((rows) => measureChunks(`chunk of ${number(rows)} rows`, null, rows)),
      ...SERIES_KINDS.map(({ name }, kind) => measureChunks(`chunk of 360 rows, ${name}`, kind, 360)),
      measureRollups('minutes of a day', MINUTES),
      measureRollups('hours of a day', HOURS),
      measureLog('log row of 40 hosts with 96 metrics', 40, 6),
      measureLog('log row of one host with 16 metrics', 1, 1),
    ];
    print(chunkTable(results));
    return { valid: true, figures: { results } };
  },
};

function measureChunks(name: string, kind: number | null, rows: number): FormatResult {
  const all = makeChunks(kind, rows, SAMPLES);
  const samples = all.length * rows * 16;
  const packed = all.map(encodeChunk);
  return {
    name,
    bytes: bytesOf(packed) / samples,
    encode: perMillion(samples, () => all.forEach(encodeChunk)),
    decode: perMillion(samples, () => {
      for (const bytes of packed) readSlots(new ChunkReader(bytes), 16);
    }),
    decodeOne: perMillion(samples / 16, () => {
      for (const bytes of packed) readSlots(new ChunkReader(bytes), 1);
    }),
  };
}

function readSlots(reader: ChunkReader, slots: number): void {
  reader.times();
  for (let slot = 0; slot < slots; slot += 1) reader.slot(slot);
}

/** Of rollups a sample is one from which they were computed. */
function measureRollups(name: string, steps: number): FormatResult {
  const days: ChunkColumns[] = makeChunks(null, DAY_ROWS, SAMPLES);
  const samples = days.length * DAY_ROWS * 16;
  const rows = days.map((day) => rollUp(day, 86_400_000 / steps, steps));
  const packed = rows.map((slots) => encodeRollupRow(steps, slots));
  const read = (slots: number) => {
    for (const bytes of packed) {
      const reader = new RollupRowReader(bytes);
      for (let slot = 0; slot < slots; slot += 1) reader.slot(slot);
    }
  };
  return {
    name,
    bytes: bytesOf(packed) / samples,
    encode: perMillion(samples, () => {
      for (const slots of rows) encodeRollupRow(steps, slots);
    }),
    decode: perMillion(samples, () => read(16)),
    decodeOne: perMillion(samples / 16, () => read(1)),
  };
}

function measureLog(name: string, hosts: number, blocks: number): FormatResult {
  const payloads = makePayloads(hosts, blocks);
  const samples = hosts * blocks * 16;
  const repeats = Math.ceil(SAMPLES / samples);
  const records = new LogRecords();
  const pack = () => {
    records.clear();
    for (const { ids, values } of payloads) records.add(ids[0] as number, PAYLOAD_MS, ids, values);
    return encodeLogRow([{ seq: 1_000_000, records }]);
  };
  const row = pack();
  const read = (isWanted: (anchor: number) => boolean) => {
    for (const record of readLogRecords(row, isWanted)) decodeRecord(record, () => {});
  };
  const repeat = (work: () => void) => () => {
    for (let turn = 0; turn < repeats; turn += 1) work();
  };
  return {
    name,
    bytes: row.length / samples,
    encode: perMillion(samples * repeats, repeat(pack)),
    decode: perMillion(
      samples * repeats,
      repeat(() => read(() => true)),
    ),
    decodeOne: perMillion(
      samples * repeats,
      repeat(() => read((anchor) => anchor === 1)),
    ),
  };
}

const bytesOf = (packed: readonly Buffer[]): number => packed.reduce((sum, { length }) => sum + length, 0);

/** CPU-seconds of work for a million samples: the median of rounds, after some that warm up. */
function perMillion(samples: number, work: () => void): number {
  for (let turn = 0; turn < WARM_UPS; turn += 1) work();
  const rounds = Array.from({ length: ROUNDS }, () => {
    const before = ownCpu();
    work();
    return ((ownCpu() - before) / samples) * 1e6;
  });
  return rounds.toSorted((a, b) => a - b)[ROUNDS >> 1] as number;
}

function chunkTable(results: readonly FormatResult[]): string {
  return table(
    ['bytes', 'a sample', 'encode CPU-s/M', 'decode CPU-s/M', 'one slot or host'],
    results.map(({ name, bytes, encode, decode, decodeOne }) => [
      name,
      number(bytes, 2),
      ...[encode, decode, decodeOne].map((each) => number(each, 4)),
    ]),
  );
}
