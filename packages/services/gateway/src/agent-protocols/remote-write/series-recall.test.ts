import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { double, nested, number, varint } from '../../testing/protobuf-bytes.fixture.ts';
import { RecordingSink } from '../../testing/recording-sink.harness.ts';
import { encodeRequest2, scrapeOf } from '../../testing/remote-write.fixture.ts';
import type { PointDecoder } from '../series/point-sink.ts';
import { remoteWrite2Decoder } from './decode-remote-write-2.ts';
import { MAX_NOTED, SeriesOrder, SeriesOrders } from './series-orders.ts';
import { SymbolTable } from './symbol-table.ts';

const NOW = Date.UTC(2026, 10, 29);
const TEXTS = ['', '__name__', 'load', 'x_total', 'instance', 'a:9100', 'b:9100', 'bytes', 'y'.repeat(200)];

/** A series as its fields stand in a body. */
interface Sent {
  references: readonly number[];
  isPacked: boolean;
  samples: number;
  metadata: { type: number; unit: number } | null;
  isMetadataFirst: boolean;
  created: number;
  exemplars: number;
}

const SENT: fc.Arbitrary<Sent> = fc.record({
  references: fc.oneof(
    {
      weight: 8,
      arbitrary: fc.constantFrom<(readonly number[])[]>(
        [1, 2],
        [1, 3],
        [1, 2, 4, 5],
        [1, 2, 4, 6],
        [1, 3, 7, 8],
      ),
    },
    { weight: 2, arbitrary: fc.array(fc.nat(10), { maxLength: 6 }) },
  ),
  isPacked: fc.nat(9).map((chance) => chance > 0),
  samples: fc.constantFrom(1, 1, 1, 0, 2),
  metadata: fc.option(fc.record({ type: fc.constantFrom(0, 1, 2), unit: fc.constantFrom(0, 0, 7, 10) })),
  isMetadataFirst: fc.nat(9).map((chance) => chance === 0),
  created: fc.constantFrom(0, 0, 0, NOW - 60_000),
  exemplars: fc.constantFrom(0, 0, 0, 0, 1),
});

function fieldsOf({ references, isPacked, metadata, isMetadataFirst, ...sent }: Sent, time: number): Buffer {
  const samples = Array.from({ length: sent.samples }, (_, index) =>
    nested(2, double(1, time + index), number(2, time + index)),
  );
  const exemplars = Array.from({ length: sent.exemplars }, () => nested(4, double(2, 1)));
  const types = metadata === null ? [] : [nested(5, number(1, metadata.type), number(4, metadata.unit))];
  return nested(
    5,
    ...(isMetadataFirst ? types : []),
    ...(isPacked ? [nested(1, ...references.map(varint))] : references.map((each) => number(1, each))),
    ...samples,
    ...exemplars,
    ...(isMetadataFirst ? [] : types),
    ...(sent.created === 0 ? [] : [number(6, sent.created)]),
  );
}

/** A body whose symbols stand before its series, except the last `behind`. */
function bodyOf(series: readonly Sent[], time: number, behind: number): Buffer {
  const symbols = TEXTS.map((text) => nested(4, text));
  const leading = symbols.slice(0, symbols.length - behind);
  return Buffer.concat([
    ...leading,
    ...series.map((each) => fieldsOf(each, time)),
    ...symbols.slice(leading.length),
  ]);
}

function taken(sink: RecordingSink, decode: PointDecoder, body: Buffer) {
  sink.take(decode, body);
  const { counts, examples, described, points } = sink;
  return { counts, examples, described, points };
}

describe('series of remote write 2.0 that are recalled from earlier bodies', () => {
  it('have the samples that they have without', () => {
    const bodies = fc.array(
      fc.record({ series: fc.array(SENT, { maxLength: 8 }), behind: fc.constantFrom(0, 0, 0, 2) }),
      { minLength: 1, maxLength: 4 },
    );
    fc.assert(
      fc.property(bodies, fc.array(fc.nat(3), { minLength: 4, maxLength: 12 }), (sent, turns) => {
        const orders = new SeriesOrders(10_000);
        const recalling = new RecordingSink();
        const scanning = new RecordingSink();
        for (const [index, turn] of turns.entries()) {
          const { series, behind } = sent[turn % sent.length] as (typeof sent)[number];
          const body = bodyOf(series, NOW + 1_000 * index, behind);
          const recalled = taken(recalling, remoteWrite2Decoder(orders, 'org_1'), body);
          const scanned = taken(scanning, remoteWrite2Decoder(new SeriesOrders(10_000), 'org_1'), body);
          expect(recalled).toEqual(scanned);
        }
      }),
      { numRuns: 400 },
    );
  });

  it('are found though the symbols are not read', () => {
    const orders = new SeriesOrders(10_000);
    const sink = new RecordingSink();
    const decode = remoteWrite2Decoder(orders, 'org_1');
    const load = vi.spyOn(SymbolTable.prototype, 'load');
    for (let turn = 0; turn < 4; turn += 1) {
      sink.take(decode, encodeRequest2(scrapeOf('web-1', NOW + 15_000 * turn)));
      expect(sink.points).toHaveLength(512);
      expect(sink.points.every(({ time }) => time === NOW + 15_000 * turn)).toBe(true);
    }
    expect(sink.described).toBe(512);
    // They are noted at the second turn, and recalled at the third.
    const [third, fourth] = [2, 3].map((turn) => encodeRequest2(scrapeOf('web-1', NOW + 15_000 * turn)));
    expect(load.mock.calls.length).toBeGreaterThan(0);
    load.mockClear();
    for (const body of [third, fourth] as Buffer[]) sink.take(decode, body);
    expect(load).not.toHaveBeenCalled();
    load.mockRestore();
  });

  it('of another organization are its own', () => {
    const orders = new SeriesOrders(10_000);
    const [one, other] = [new RecordingSink(), new RecordingSink()];
    for (let turn = 0; turn < 4; turn += 1) {
      const body = encodeRequest2(scrapeOf('web-1', NOW + 15_000 * turn));
      one.take(remoteWrite2Decoder(orders, 'org_1'), body);
      other.take(remoteWrite2Decoder(orders, 'org_2'), body);
    }
    expect([one.described, other.described]).toEqual([512, 512]);
    expect(other.points).toEqual(one.points);
  });

  it('are scanned where the sink has forgotten them', () => {
    const decode = remoteWrite2Decoder(new SeriesOrders(10_000), 'org_1');
    const sink = new RecordingSink();
    const body = encodeRequest2(scrapeOf('web-1', NOW));
    for (let turn = 0; turn < 3; turn += 1) sink.take(decode, body);
    sink.known.clear();
    sink.take(decode, body);
    expect(sink.described).toBe(1_024);
    expect(sink.points).toHaveLength(512);
  });

  it('are scanned behind the number that is noted, so that a body of very many takes little memory', () => {
    const order = new SeriesOrder(1, 2);
    for (const position of [0, MAX_NOTED - 1, MAX_NOTED, 16_000_000]) order.set(position, 3, 4, 5, 6);
    expect([0, MAX_NOTED - 1, MAX_NOTED].map((position) => order.find(position, 3, 4))).toEqual([
      true,
      true,
      false,
    ]);
    expect(order.bytes).toBeLessThan(2 * 16 * MAX_NOTED);
    const decode = remoteWrite2Decoder(new SeriesOrders(1_000_000), 'org_1');
    const sink = new RecordingSink();
    const symbols = ['', '__name__', 'load'].map((text) => nested(4, text));
    const series = nested(5, nested(1, Buffer.from([1, 2])), nested(2, double(1, 7), number(2, NOW)));
    const body = Buffer.concat([...symbols, ...Array<Buffer>(MAX_NOTED + 10).fill(series)]);
    for (let turn = 0; turn < 3; turn += 1)
      expect(sink.take(decode, body).counts.points).toBe(MAX_NOTED + 10);
  });

  it('are refused where a symbol is missing that an earlier body had behind its series', () => {
    const decode = remoteWrite2Decoder(new SeriesOrders(10_000), 'org_1');
    const sink = new RecordingSink();
    const leading = ['', '__name__', 'load', 'instance'].map((text) => nested(4, text));
    const series = nested(5, nested(1, Buffer.from([1, 2, 3, 4])), nested(2, double(1, 7), number(2, NOW)));
    const complete = Buffer.concat([...leading, series, nested(4, 'a:9100')]);
    for (let turn = 0; turn < 3; turn += 1) expect(sink.take(decode, complete).counts.points).toBe(1);
    const incomplete = Buffer.concat([...leading, series]);
    for (let turn = 0; turn < 3; turn += 1)
      expect(sink.take(decode, incomplete).counts).toMatchObject({
        points: 0,
        rejected: { invalid_labels: 1 },
      });
  });
});
