import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { double, nested, number, varint } from '../../testing/protobuf-bytes.fixture.ts';
import { outcomeOf, RecordingSink } from '../../testing/recording-sink.harness.ts';
import {
  encodeRequest2,
  request2,
  type SeriesFixture,
  scrapeOf,
} from '../../testing/remote-write.fixture.ts';
import { remoteWrite2Decoder } from './decode-remote-write-2.ts';
import { SeriesOrders } from './series-orders.ts';

const decodeRemoteWrite2 = remoteWrite2Decoder(new SeriesOrders(10_000), 'org_1');

const NOW = Date.UTC(2026, 10, 28);
const LOAD = ['__name__', 'load', 'instance', 'a:9100'];

let sink: RecordingSink;
beforeEach(() => {
  sink = new RecordingSink();
});

const take = (body: Uint8Array) => sink.take(decodeRemoteWrite2, body);
const takeSeries = (...series: SeriesFixture[]) => take(encodeRequest2(series));
const bytes = (...values: number[]) => Buffer.from(values);
const SYMBOLS = Buffer.concat(['', '__name__', 'load', 'bytes'].map((text) => nested(4, text)));
const SAMPLE = nested(2, double(1, 7), number(2, NOW));
const REFERENCES = nested(1, bytes(1, 2));

describe('a body of remote write 2.0', () => {
  it('gives samples with type, unit and the time from which the series counts', () => {
    const counter = {
      labels: ['__name__', 'x_total'],
      type: 1,
      unit: 'bytes',
      createdTimestamp: NOW - 60_000,
    };
    const samples = [
      { value: 1, timestamp: NOW },
      { value: 2, timestamp: NOW + 1, startTimestamp: NOW - 1 },
    ];
    takeSeries({ ...counter, samples }, { labels: LOAD, samples: [{ value: 3, timestamp: NOW }] });
    const common = { protocol: 'remote_write', resource: [] };
    const series = { ...common, name: 'x_total', labels: [], type: 'counter', unit: 'bytes' };
    const load = { ...common, name: 'load', labels: ['instance', 'a:9100'], type: 'unknown', unit: '' };
    expect(sink.points).toEqual([
      { series, time: NOW, value: 1, start: NOW - 60_000 },
      { series, time: NOW + 1, value: 2, start: NOW - 1 },
      { series: load, time: NOW, value: 3, start: 0 },
    ]);
  });

  it('describes the series of a scrape once, though symbols get other numbers', () => {
    takeSeries(...scrapeOf('web-1', NOW));
    takeSeries({ labels: ['__name__', 'new'] }, ...scrapeOf('web-1', NOW + 15_000).reverse());
    expect(sink.described).toBe(512);
    expect(sink.points).toHaveLength(512);
  });

  it.each([1_000, 1_024, 2_047, 2_049, 65_533, 65_534, 65_535, 70_000])(
    'knows a series by the same symbols behind %i others',
    (others) => {
      takeSeries({ labels: ['__name__', 'load'], unit: 'bytes', samples: [{ timestamp: NOW }] });
      const more = Buffer.alloc(2 * others, nested(4));
      const symbols = [nested(4), more, ...['__name__', 'load', 'bytes'].map((text) => nested(4, text))];
      const [name, load, unit] = [1, 2, 3].map((index) => varint(index + others)) as [Buffer, Buffer, Buffer];
      const metadata = nested(5, Buffer.from([32]), unit);
      take(Buffer.concat([...symbols, nested(5, nested(1, name, load), SAMPLE, metadata)]));
      expect(sink.points.at(-1)).toMatchObject({ time: NOW, value: 7 });
      expect(sink.described).toBe(1);
    },
  );

  it.each<[string, number, string, string]>([
    ['unspecified', 0, 'x', 'unknown'],
    ['a counter', 1, 'x', 'counter'],
    ['a gauge', 2, 'x_total', 'gauge'],
    ['buckets of a histogram', 3, 'x_bucket', 'counter'],
    ['the count of a summary', 5, 'x_count', 'counter'],
    ['a quantile of a summary', 5, 'x', 'gauge'],
    ['a state set', 7, 'x', 'gauge'],
    ['a number of no type', 8, 'x', 'unknown'],
  ])('gives a series its type: %s', (_, type, name, expected) => {
    takeSeries({ labels: ['__name__', name], type, samples: [{ timestamp: NOW }] });
    expect(sink.points[0]!.series.type).toBe(expected);
  });

  it('refuses a series whose labels refer to long symbols over and over, and takes the next one', () => {
    const symbols = ['', 'x'.repeat(100_000), 'a', 'b', 'c', '__name__', 'load'].map((text) =>
      nested(4, text),
    );
    const long = nested(5, nested(1, bytes(2, 1, 3, 1, 4, 1, 5, 6)), SAMPLE);
    take(Buffer.concat([...symbols, long, nested(5, nested(1, bytes(5, 6)), SAMPLE)]));
    expect(sink.counts).toMatchObject({ points: 1, rejected: { invalid_labels: 1 } });
    expect(sink.examples).toEqual(['a series with over 262144 bytes of labels']);
  });

  it('is refused if its series refer to more than 256 MiB of symbols', () => {
    const symbols = ['', 'x'.repeat(100_000)].map((text) => nested(4, text));
    const series = nested(5, nested(1, bytes(1, 1)), SAMPLE);
    const body = Buffer.concat([...symbols, ...Array.from({ length: 1_400 }, () => series)]);
    expect(outcomeOf(decodeRemoteWrite2, body)).toBe('BodyTooLargeError');
  });

  it('takes fields in any order, references one by one, and symbols behind the series', () => {
    const metadata = nested(5, number(1, 2), number(3, 0), number(4, 3));
    take(
      Buffer.concat([nested(5, SAMPLE, metadata, number(1, 1), number(1, 2), number(6, NOW - 5)), SYMBOLS]),
    );
    const series = { name: 'load', type: 'gauge', unit: 'bytes' };
    expect(sink.points).toMatchObject([{ series, time: NOW, value: 7, start: NOW - 5 }]);
  });

  it.each<[string, Buffer, string]>([
    ['a reference past the table', nested(1, bytes(1, 4)), 'invalid_labels'],
    ['a reference of 2^32 - 1', nested(1, bytes(1), varint(2 ** 32 - 1)), 'invalid_labels'],
    ['an odd number of references', nested(1, bytes(1, 2, 3)), 'invalid_labels'],
    ['a unit past the table', Buffer.concat([REFERENCES, nested(5, number(4, 9))]), 'invalid_labels'],
    ['no references', bytes(), 'invalid_name'],
    ['an empty name', nested(1, bytes(1, 0)), 'invalid_name'],
    ['a name twice', nested(1, bytes(1, 2, 1, 3)), 'invalid_labels'],
    ['a label without name', nested(1, bytes(0, 3, 1, 2)), 'invalid_labels'],
    ['more than 256 labels', nested(1, Buffer.alloc(514, 1)), 'invalid_labels'],
  ])('refuses a series with %s, and takes the others', (_, references, reason) => {
    const histogram = nested(3, number(1, 1));
    take(
      Buffer.concat([
        SYMBOLS,
        nested(5, references, SAMPLE, SAMPLE, histogram),
        nested(5, REFERENCES, SAMPLE),
      ]),
    );
    const rejections = { rejected: { [reason]: 2 }, rejectedHistograms: { [reason]: 1 } };
    expect(sink.counts).toEqual({ points: 1, ...rejections, omitted: {} });
  });

  it('leaves out exemplars and values that are no numbers', () => {
    const samples = [Number.NaN, Number.NEGATIVE_INFINITY, 1].map((value) => ({ value, timestamp: NOW }));
    takeSeries({ labels: LOAD, samples, exemplars: [{ value: 1 }, {}] });
    const omitted = { not_a_number: 1, infinite: 1, exemplar: 2 };
    expect(sink.counts).toEqual({ points: 1, rejected: {}, rejectedHistograms: {}, omitted });
  });

  it('is read in turns with a million symbols', () => {
    const body = Buffer.concat([SYMBOLS, Buffer.alloc(2_000_000, nested(4)), nested(5, REFERENCES, SAMPLE)]);
    expect(take(body).points).toHaveLength(1);
    expect(sink.turns).toBeGreaterThan(50);
  });

  it.each<[string, Buffer]>([
    ['symbols that do not begin with an empty text', nested(4, 'x')],
    ['series of version 1.0', Buffer.concat([SYMBOLS, nested(1)])],
    ['metadata of version 1.0', nested(3)],
    ['symbols of a wrong wire type', number(4, 1)],
    ['series of a wrong wire type', number(5, 1)],
    ['references of a wrong wire type', Buffer.concat([SYMBOLS, nested(5, double(1, 1))])],
    ['a reference that is cut', Buffer.concat([SYMBOLS, nested(5, nested(1, bytes(0x80)), SAMPLE)])],
    ['metadata of a wrong wire type', nested(5, number(5, 1))],
    ['a created time of a wrong wire type', nested(5, double(6, 1))],
    [
      'invalid UTF-8',
      Buffer.concat([SYMBOLS, nested(4, bytes(0xff)), nested(5, nested(1, bytes(1, 4)), SAMPLE)]),
    ],
    ['an unknown group', bytes(163, 1)],
    ['a symbol beyond the body', bytes(34, 5, 1)],
  ])('is refused as malformed with %s', (_, body) => {
    expect(outcomeOf(decodeRemoteWrite2, body)).toBe('MalformedBodyError');
  });
});

const text = fc.string({ unit: 'grapheme', maxLength: 12 });
const samples = fc.array(fc.record({ value: fc.double(), timestamp: fc.maxSafeNat() }), { maxLength: 4 });
const labels = fc.array(fc.tuple(fc.constantFrom('__name__', 'a', 'b'), text), { maxLength: 4 });

describe('a valid body of remote write 2.0', () => {
  it('gives the samples that protobufjs reads in it', () => {
    const series = fc.array(fc.record({ labels, samples, unit: text }), { maxLength: 6 });
    const property = fc.property(series, (all) => {
      const body = encodeRequest2(all.map((one) => ({ ...one, labels: one.labels.flat() })));
      const { symbols, timeseries } = request2.toObject(request2.decode(body), {
        longs: Number,
        defaults: true,
      });
      const expected = [];
      for (const { labelsRefs, samples: sent, metadata } of timeseries) {
        const texts: string[] = labelsRefs.map((reference: number) => symbols[reference]);
        const names = texts.filter((_, index) => index % 2 === 0);
        const name = texts[2 * names.indexOf('__name__') + 1] ?? '';
        if (!names.includes('__name__') || name === '' || new Set(names).size < names.length) continue;
        for (const { value, timestamp } of sent)
          if (Number.isFinite(value))
            expected.push({ name, unit: symbols[metadata.unitRef], value, time: timestamp });
      }
      take(body);
      expect(
        sink.points.map(({ series: { name, unit }, value, time }) => ({ name, unit, value, time })),
      ).toEqual(expected);
    });
    fc.assert(property, { numRuns: 300 });
  });
});
