import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { double, nested, number, varint } from '../../testing/protobuf-bytes.fixture.ts';
import { outcomeOf, RecordingSink } from '../../testing/recording-sink.harness.ts';
import {
  encodeRequest1,
  request1,
  type SeriesFixture,
  scrapeOf,
} from '../../testing/remote-write.fixture.ts';
import { MalformedBodyError } from '../wire/malformed-body-error.ts';
import { SeriesHash } from '../wire/series-hash.ts';
import { remoteWrite1Decoder } from './decode-remote-write-1.ts';
import { MetricTypes } from './metric-types.ts';

const NOW = Date.UTC(2026, 10, 28);
const UP = ['__name__', 'load', 'instance', 'a:9100'];

let sink: RecordingSink;
let types: MetricTypes;
beforeEach(() => {
  sink = new RecordingSink();
  types = new MetricTypes(new SeriesHash([3, 4]));
});

const take = (body: Uint8Array) => sink.take(remoteWrite1Decoder(types), body);
const takeSeries = (...series: SeriesFixture[]) => take(encodeRequest1(series));
const label = (name: string, value: string) => nested(1, nested(1, name), nested(2, value));
const sample = (value: number, time: number) => nested(2, double(1, value), number(2, time));
const LOAD = Buffer.concat([label('__name__', 'load'), label('instance', 'a:9100')]);
const bytes = (...values: number[]) => Buffer.from(values);

/** A double with these bits, as a field. */
function doubleOf(field: number, high: number, low: number): Buffer {
  const bits = Buffer.alloc(8);
  bits.writeUInt32LE(low);
  bits.writeUInt32LE(high, 4);
  return Buffer.concat([varint(field * 8 + 1), bits]);
}

describe('a body of remote write 1.0', () => {
  it('gives each sample with its series, whose labels are sorted and do not contain the name', () => {
    takeSeries(
      { labels: UP, samples: [{ value: 1.5, timestamp: NOW }] },
      { labels: ['z', '1', '__name__', 'x', 'a', '2', 'empty', ''], samples: [{ value: -0, timestamp: -1 }] },
    );
    const common = { protocol: 'remote_write', resource: [], type: 'unknown', unit: '' };
    expect(sink.points).toEqual([
      {
        series: { ...common, name: 'load', labels: ['instance', 'a:9100'] },
        time: NOW,
        value: 1.5,
        start: 0,
      },
      { series: { ...common, name: 'x', labels: ['a', '2', 'z', '1'] }, time: -1, value: -0, start: 0 },
    ]);
    expect(sink.counts).toMatchObject({ rejected: {}, omitted: {} });
  });

  it('finds a series again by its bytes, wherever its labels stand', () => {
    takeSeries({ labels: UP, samples: [{ value: 1, timestamp: NOW }] });
    take(nested(1, sample(2, NOW), LOAD, sample(3, NOW + 1)));
    expect(sink.points.map(({ value }) => value)).toEqual([2, 3]);
    take(nested(1, label('__name__', 'load'), sample(4, NOW), label('instance', 'a:9100')));
    expect(sink.points).toMatchObject([
      { series: { name: 'load', labels: ['instance', 'a:9100'] }, value: 4 },
    ]);
    expect(sink.described).toBe(1);
  });

  it('describes the series of a scrape once', () => {
    takeSeries(...scrapeOf('web-1', NOW));
    takeSeries(...scrapeOf('web-1', NOW + 15_000));
    expect(sink.described).toBe(512);
    expect(sink.points).toHaveLength(512);
    expect(new Set(sink.points.map(({ series }) => series)).size).toBe(512);
    expect(sink.points[500]).toMatchObject({
      time: NOW + 15_000,
      series: { name: 'node_cpu_seconds_total' },
    });
  });

  it.each<[string, number, string, string]>([
    ['counter', 1, 'x_total', 'counter'],
    ['counter, without its suffix', 1, 'x', 'counter'],
    ['gauge', 2, 'x', 'gauge'],
    ['histogram: buckets', 3, 'x_bucket', 'counter'],
    ['histogram: sum', 3, 'x_sum', 'counter'],
    ['summary: count', 5, 'x_count', 'counter'],
    ['summary: quantiles', 5, 'x', 'gauge'],
    ['information', 6, 'x', 'gauge'],
    ['unknown', 0, 'x', 'unknown'],
    ['other family', 2, 'y', 'unknown'],
    ['number of no type', 99, 'x', 'unknown'],
  ])('gives series the type of earlier metadata: %s', (_, type, name, expected) => {
    const series = { labels: ['__name__', name], samples: [{ value: 1, timestamp: NOW }] };
    takeSeries(series);
    expect(sink.points[0]!.series.type).toBe('unknown');
    expect(take(encodeRequest1([], [{ type, metricFamilyName: 'x', help: 'Help.' }])).counts.points).toBe(0);
    takeSeries(series);
    expect(sink.points[0]!.series.type).toBe(expected);
  });

  it('refuses a series of a million labels and serves other requests meanwhile', () => {
    const { counts, turns } = take(nested(1, Buffer.alloc(2_000_000, nested(1)), sample(1, NOW)));
    expect(counts).toMatchObject({ points: 0, rejected: { invalid_labels: 1 } });
    expect(turns).toBeGreaterThanOrEqual(50);
  });

  it('keeps a bounded number of types, those that were sent last', () => {
    const gauge = (index: number) => ({ type: 2, metricFamilyName: `gauge_${index}` });
    take(
      encodeRequest1(
        [],
        Array.from({ length: 25_000 }, (_, index) => gauge(index)),
      ),
    );
    expect(types.size).toBe(20_000);
    const series = [0, 24_999].map((index) => ({ labels: ['__name__', `gauge_${index}`], samples: [{}] }));
    takeSeries(...series);
    expect(sink.points.map(({ series: { type } }) => type)).toEqual(['unknown', 'gauge']);
  });

  it('leaves out stale markers, other NaN, infinite values and exemplars, each counted', () => {
    const values = [doubleOf(1, 0x7ff0_0000, 2), doubleOf(1, 0x7ff8_0000, 0), doubleOf(1, 0xfff8_0000, 1)];
    values.push(double(1, Number.POSITIVE_INFINITY), double(1, Number.NEGATIVE_INFINITY), double(1, 5e-324));
    const samples = values.map((value) => nested(2, value, number(2, NOW)));
    take(nested(1, LOAD, ...samples, nested(3, double(2, 1)), nested(3)));
    expect(sink.counts).toEqual({
      points: 1,
      rejected: {},
      rejectedHistograms: {},
      omitted: { stale: 1, not_a_number: 2, infinite: 2, exemplar: 2 },
    });
    expect(sink.points[0]!.value).toBe(5e-324);
  });

  it.each<[string, readonly string[], string]>([
    ['no name', ['a', '1'], 'invalid_name'],
    ['no labels', [], 'invalid_name'],
    ['an empty name', ['__name__', ''], 'invalid_name'],
    ['two names', ['__name__', 'x', '__name__', 'y'], 'invalid_labels'],
    ['a repeated label', ['__name__', 'x', 'a', '1', 'a', '1'], 'invalid_labels'],
    ['a repeated label whose value is empty once', ['__name__', 'x', 'a', '', 'a', '1'], 'invalid_labels'],
    ['a label without name', ['', '1', '__name__', 'x'], 'invalid_labels'],
    [
      '257 labels',
      ['__name__', 'x', ...Array.from({ length: 512 }, (_, index) => `l${index}`)],
      'invalid_labels',
    ],
  ])('refuses a series with %s, and takes the others', (_, labels, reason) => {
    const samples = [
      { value: 1, timestamp: NOW },
      { value: Number.NaN, timestamp: NOW + 1 },
    ];
    takeSeries(
      { labels, samples, histograms: [{}] },
      { labels: UP, samples: [{ value: 1, timestamp: NOW }] },
    );
    expect(sink.counts).toMatchObject({
      points: 1,
      rejected: { [reason]: 2 },
      rejectedHistograms: { [reason]: 1 },
    });
    expect(sink.examples.every((example) => example !== '' || labels.length === 0)).toBe(true);
  });

  it.each<[string, string]>([
    ['quotes, a backslash and a line feed', 'a"b\\c\nd'],
    ['a prefix of containers', 'container.x'],
    ['the name of a prototype', '__proto__'],
    ['the name of a constructor', 'constructor'],
    ['letters and pictures beyond ASCII', 'größe 🌡'],
    ['NUL', '\0'],
    ['a byte order mark', '\ufeffmark'],
    ['64 KiB', 'x'.repeat(65_536)],
  ])('takes names and values with %s', (_, text) => {
    takeSeries({ labels: ['__name__', text, text, text], samples: [{ value: 1, timestamp: NOW }] });
    expect(sink.points).toMatchObject([{ series: { name: text, labels: [text, text] } }]);
  });

  it.each<[string, number | bigint, number]>([
    ['0', 0, 0],
    ['-1', -1, -1],
    ['of 1999', 946_000_000_000, 946_000_000_000],
    ['2^63 - 1', 2n ** 63n - 1n, 2 ** 63],
    ['-2^63', -(2n ** 63n), -(2 ** 63)],
    ['2^53 - 1', 2n ** 53n - 1n, 2 ** 53 - 1],
  ])('gives the time as sent: %s', (_, sent, time) => {
    expect(take(nested(1, LOAD, nested(2, number(2, sent)))).points).toMatchObject([{ time, value: 0 }]);
  });

  it('lets others go first after at most a thousand points or series', () => {
    const samples = Array.from({ length: 5_000 }, (_, index) => ({ value: index, timestamp: index }));
    expect(takeSeries({ labels: UP, samples }).turns).toBeGreaterThanOrEqual(5);
    expect(sink.points.map(({ value }) => value)).toEqual(samples.map(({ value }) => value));
    expect(take(Buffer.alloc(20_000, nested(1))).turns).toBeGreaterThanOrEqual(9);
    expect(take(Buffer.alloc(40_000, nested(3))).turns).toBeGreaterThanOrEqual(19);
    expect(sink.counts).toEqual({ points: 0, rejected: {}, rejectedHistograms: {}, omitted: {} });
  });

  it('takes unknown fields, empty bodies and empty messages as nothing', () => {
    const unknown = [number(99, 2n ** 64n - 1n), double(100, 1), nested(20, Buffer.alloc(1024 * 1024))];
    unknown.push(Buffer.concat([varint(50 * 8 + 5), bytes(1, 2, 3, 4)]));
    take(
      Buffer.concat([
        ...unknown,
        nested(1, ...unknown, LOAD, nested(2, ...unknown, double(1, 4))),
        ...unknown,
      ]),
    );
    expect(sink.points).toMatchObject([{ value: 4, time: 0 }]);
    expect(take(bytes()).counts.points).toBe(0);
    expect(take(nested(1)).counts).toMatchObject({ points: 0, rejected: {} });
  });

  it('says that a body is of version 2.0', () => {
    expect(() => take(nested(4, ''))).toThrow(/remote write 2\.0/);
    expect(() => take(nested(5, ''))).toThrow(MalformedBodyError);
  });

  it.each<[string, Buffer]>([
    ['a length beyond the body', bytes(10, 5, 1)],
    ['a length beyond its message', nested(1, bytes(10, 5, 10, 1, 97))],
    ['a length of 2^31', Buffer.concat([bytes(10), varint(2 ** 31)])],
    ['a length of 2^63', Buffer.concat([bytes(10), varint(2n ** 63n)])],
    ['a negative length', Buffer.concat([bytes(10), varint(-1)])],
    ['a number of 11 bytes', nested(1, LOAD, nested(2, bytes(16, ...Array(10).fill(0x80), 1)))],
    ['a number that is cut', bytes(10, 0x80)],
    ['the beginning of a group', bytes(11)],
    ['the end of a group', nested(1, bytes(12))],
    ['an unknown group', bytes(163, 1, 164, 1)],
    ['a wire type that does not exist', bytes(0xa6, 6)],
    ['field 0', bytes(2, 0)],
    ['a field number over 29 bits', Buffer.concat([varint(2n ** 32n + 2n), bytes(0)])],
    ['a series of a wrong wire type', bytes(8, 1)],
    ['metadata of a wrong wire type', bytes(25, 0, 0, 0, 0, 0, 0, 0, 0)],
    ['labels of a wrong wire type', nested(1, number(1, 1))],
    ['samples of a wrong wire type', nested(1, number(2, 1))],
    ['histograms of a wrong wire type', nested(1, number(4, 1))],
    ['a value of a wrong wire type', nested(1, LOAD, nested(2, number(1, 1)))],
    ['a value that is cut', nested(1, LOAD, nested(2, double(1, 1).subarray(0, -1)))],
    ['a time of a wrong wire type', nested(1, LOAD, nested(2, double(2, 1)))],
    ['the name of a label of a wrong wire type', nested(1, nested(1, number(1, 1)), sample(1, 1))],
    ['invalid UTF-8 in a label', nested(1, nested(1, nested(1, bytes(0xff))), sample(1, 1))],
    ['a lone surrogate in a label', nested(1, nested(1, nested(1, bytes(0xed, 0xa0, 0x80))), sample(1, 1))],
    ['invalid UTF-8 in metadata', nested(3, nested(2, bytes(0xc0, 0x80)))],
    ['packed numbers of odd length', nested(1, LOAD, nested(4, nested(13, bytes(1, 2, 3))))],
  ])('is refused as malformed with %s', (_, body) => {
    expect(outcomeOf(remoteWrite1Decoder(types), body)).toBe('MalformedBodyError');
  });

  it('is refused quickly with ten million labels in a series', () => {
    const body = nested(1, Buffer.alloc(20_000_000, nested(1)), sample(1, 1));
    expect(take(body).counts).toMatchObject({ points: 0, rejected: { invalid_labels: 1 } });
  });
});

const text = fc.string({ unit: 'grapheme', maxLength: 12 });
const time = fc.integer({ min: -1_000, max: 2 ** 50 });
const samples = fc.array(fc.record({ value: fc.double(), timestamp: time }), { maxLength: 4 });
const labels = fc.array(fc.tuple(fc.constantFrom('__name__', 'a', 'b', 'instance'), text), { maxLength: 5 });

describe('a valid body of remote write 1.0', () => {
  it('gives the samples that protobufjs reads in it', () => {
    const property = fc.property(fc.array(fc.record({ labels, samples }), { maxLength: 6 }), (series) => {
      const body = encodeRequest1(series.map((one) => ({ ...one, labels: one.labels.flat() })));
      const { timeseries = [] } = request1.toObject(request1.decode(body), { longs: Number, defaults: true });
      const expected = [];
      let total = 0;
      for (const one of timeseries) {
        total += one.samples.length;
        const names = one.labels.map(({ name }: { name: string }) => name);
        const name = one.labels.find((each: { name: string }) => each.name === '__name__')?.value ?? '';
        if (name === '' || new Set(names).size < names.length) continue;
        for (const { value, timestamp } of one.samples)
          if (Number.isFinite(value)) expected.push({ name, value, time: timestamp });
      }
      take(body);
      const { rejected, omitted } = sink;
      const others = [...Object.values(rejected), ...Object.values(omitted)].reduce(
        (sum, count) => sum + count,
        0,
      );
      expect(sink.points.map(({ series: { name }, value, time }) => ({ name, value, time }))).toEqual(
        expected,
      );
      expect(expected.length + others).toBe(total);
    });
    fc.assert(property, { numRuns: 300 });
  });
});
