import { beforeEach, describe, expect, it } from 'vitest';
import { double, nested, number, varint } from '../../testing/protobuf-bytes.fixture.ts';
import { RecordingSink } from '../../testing/recording-sink.harness.ts';
import { encodeRequest1, encodeRequest2, withoutPacking } from '../../testing/remote-write.fixture.ts';
import { SeriesHash } from '../wire/series-hash.ts';
import { remoteWrite1Decoder } from './decode-remote-write-1.ts';
import { remoteWrite2Decoder } from './decode-remote-write-2.ts';
import { MetricTypes } from './metric-types.ts';
import { SeriesOrders } from './series-orders.ts';

const decodeRemoteWrite2 = remoteWrite2Decoder(new SeriesOrders(10_000), 'org_1');

const NOW = Date.UTC(2026, 10, 28);
const LABELS = ['__name__', 'duration_seconds'];

let sink: RecordingSink;
beforeEach(() => {
  sink = new RecordingSink();
});

/** Takes a histogram in both versions and with both forms of lists, which have to agree. */
function take(histogram: object, samples: object[] = []): RecordingSink {
  const series = [{ labels: LABELS, samples, histograms: [{ timestamp: NOW, ...histogram }] }];
  const decodeRemoteWrite1 = remoteWrite1Decoder(new MetricTypes(new SeriesHash([1, 2])));
  const [one, two] = [encodeRequest1(series), encodeRequest2(series)];
  sink.take(decodeRemoteWrite1, one);
  for (const other of [
    new RecordingSink().take(decodeRemoteWrite2, two),
    new RecordingSink().take(decodeRemoteWrite1, withoutPacking(1, one)),
    new RecordingSink().take(decodeRemoteWrite2, withoutPacking(2, two)),
  ]) {
    expect(other.points).toEqual(sink.points);
    expect(other.counts).toEqual(sink.counts);
  }
  return sink;
}

const pointOf = (histogram: object) => take(histogram).points[0]?.histogram;
const span = (offset: number, length: number) => ({ offset, length });
/** Counts that are no integers are not compared with their sum, which may have been rounded. */
const counted = { countFloat: 9, sum: 4.5 };

describe('a native histogram', () => {
  it('is a point of a counter, with explicit bounds for the powers of its schema', () => {
    const positiveSpans = [span(0, 2), span(1, 1)];
    take({
      countInt: 7,
      sum: 4.5,
      schema: 0,
      zeroCountInt: 2,
      zeroThreshold: 0.25,
      positiveSpans,
      positiveDeltas: [1, 2, -2],
    });
    expect(sink.points).toEqual([
      {
        series: {
          protocol: 'remote_write',
          name: 'duration_seconds',
          labels: [],
          resource: [],
          type: 'counter',
          unit: '',
        },
        time: NOW,
        start: 0,
        // Index 0 is up to 1, index 1 up to 2, index 3 up to 8.
        histogram: { count: 7, sum: 4.5, bounds: [0.25, 0.5, 1, 2, 4, 8], counts: [2, 0, 1, 3, 0, 1, 0] },
      },
    ]);
  });

  it('may have negative buckets and counts that are no integers', () => {
    const negative = { negativeSpans: [span(0, 2)], negativeCounts: [0.5, 1.5] };
    const positive = { positiveSpans: [span(1, 1)], positiveCounts: [2.5] };
    expect(pointOf({ countFloat: 5, sum: 1, zeroCountFloat: 0.5, ...negative, ...positive })).toEqual({
      count: 5,
      sum: 1,
      bounds: [-2, -1, -0.5, 0, 1, 2],
      counts: [0, 1.5, 0.5, 0.5, 0, 2.5, 0],
    });
  });

  it('may state its bounds', () => {
    const custom = { schema: -53, customValues: [0.1, 0.5, 1] };
    const spans = { positiveSpans: [span(0, 1), span(1, 2)], positiveDeltas: [3, 1, -2] };
    expect(pointOf({ ...counted, ...custom, ...spans })).toEqual({
      count: 9,
      sum: 4.5,
      bounds: [0.1, 0.5, 1],
      counts: [3, 0, 4, 2],
    });
  });

  it('has other powers by its schema', () => {
    const buckets = { positiveSpans: [span(1, 2)], positiveDeltas: [1, 0] };
    expect(pointOf({ ...counted, schema: -1, ...buckets })?.bounds).toEqual([0, 1, 4, 16]);
    const [, , second, third] = pointOf({ ...counted, schema: 1, ...buckets })?.bounds ?? [];
    expect(second).toBeCloseTo(Math.SQRT2, 12);
    expect(third).toBeCloseTo(2, 12);
  });

  it('is apart from the samples of the same labels', () => {
    take(counted, [{ value: 1, timestamp: NOW }]);
    expect(sink.points.map(({ series }) => series.type)).toEqual(['unknown', 'counter']);
  });

  it('has its own start in version 2.0', () => {
    const histograms = [{ timestamp: NOW }, { timestamp: NOW, startTimestamp: NOW - 1 }];
    sink.take(
      decodeRemoteWrite2,
      encodeRequest2([{ labels: LABELS, histograms, createdTimestamp: NOW - 9 }]),
    );
    expect(sink.points.map(({ start }) => start)).toEqual([NOW - 9, NOW - 1]);
  });

  it.each<[string, object]>([
    ['more than 160 buckets', { positiveSpans: [span(0, 200)], positiveDeltas: Array(200).fill(0) }],
    [
      '160 buckets apart from each other',
      {
        positiveSpans: Array.from({ length: 100 }, () => span(1, 1)),
        positiveDeltas: Array(100).fill(0),
      },
    ],
    ['bounds beyond a double', { positiveSpans: [span(2 ** 31 - 1, 1)], positiveDeltas: [1] }],
    ['bounds that are 0', { positiveSpans: [span(-(2 ** 31), 1)], positiveDeltas: [1] }],
    [
      'spans that go on beyond 2^31',
      {
        positiveSpans: Array.from({ length: 20 }, () => span(2 ** 31 - 1, 1)),
        positiveDeltas: Array(20).fill(1),
      },
    ],
    ['a schema of 2^31 - 1', { schema: 2 ** 31 - 1, positiveSpans: [span(0, 2)], positiveDeltas: [1, 1] }],
    ['a schema of -2^31', { schema: -(2 ** 31), positiveSpans: [span(0, 2)], positiveDeltas: [1, 1] }],
    [
      'a bucket of zero wider than the others',
      {
        zeroThreshold: 100,
        positiveSpans: [span(0, 1)],
        positiveDeltas: [1],
      },
    ],
    [
      'too many stated bounds',
      { schema: -53, customValues: Array.from({ length: 161 }, (_, index) => index) },
    ],
  ])('keeps count and sum alone with %s', (_, histogram) => {
    expect(pointOf({ ...counted, ...histogram })).toEqual({ count: 9, sum: 4.5, bounds: [], counts: [] });
  });

  it.each<[string, object]>([
    ['more buckets in spans than counts', { positiveSpans: [span(0, 2 ** 32 - 1)], positiveDeltas: [1] }],
    ['more counts than buckets in spans', { positiveSpans: [span(0, 1)], positiveDeltas: [1, 1] }],
    ['a count below 0', { positiveSpans: [span(0, 2)], positiveDeltas: [1, -2] }],
    ['a count that is NaN', { positiveSpans: [span(0, 1)], positiveCounts: [Number.NaN] }],
    ['a span that goes back', { positiveSpans: [span(0, 1), span(-1, 1)], positiveDeltas: [1, 1] }],
    ['stated bounds that do not ascend', { schema: -53, customValues: [1, 1] }],
    [
      'an index before the stated bounds',
      { schema: -53, customValues: [1], positiveSpans: [span(-1, 1)], positiveDeltas: [1] },
    ],
    [
      'an index past the stated bounds',
      { schema: -53, customValues: [1], positiveSpans: [span(2, 1)], positiveDeltas: [1] },
    ],
    ['a bucket of zero that is narrower than 0', { zeroThreshold: -1 }],
    [
      'fewer values in buckets than it counts',
      { countInt: 9, positiveSpans: [span(0, 1)], positiveDeltas: [8] },
    ],
    [
      'more values in buckets than it counts',
      { countInt: 1, zeroCountInt: 1, negativeSpans: [span(0, 1)], negativeDeltas: [1] },
    ],
  ])('is refused with %s', (_, histogram) => {
    const rejectedHistograms = { invalid_value: 1 };
    expect(take({ ...('countInt' in histogram ? { sum: 1 } : counted), ...histogram }).counts).toMatchObject({
      points: 0,
      rejectedHistograms,
    });
  });

  it('may count more values than its buckets hold if some were no number', () => {
    const buckets = { positiveSpans: [span(0, 1)], positiveDeltas: [2] };
    expect(pointOf({ countInt: 3, sum: Number.NaN, ...buckets })).toMatchObject({ count: 3, sum: undefined });
  });

  it('is refused if it is a gauge', () => {
    expect(take({ ...counted, resetHint: 3 }).counts.rejectedHistograms).toEqual({ unsupported_type: 1 });
    expect(sink.examples).toEqual([
      '{__name__="duration_seconds"}: its type, or the temporality of its values, is not supported',
    ]);
  });

  it('is left out if its sum is a stale marker, and has no sum if that is no number', () => {
    const bits = Buffer.from([2, 0, 0, 0, 0, 0, 0xf0, 0x7f]);
    const stale = nested(4, Buffer.concat([varint(25), bits]), number(15, NOW));
    const label = nested(1, nested(1, '__name__'), nested(2, 'x'));
    const infinite = nested(4, number(1, 3), double(3, Number.POSITIVE_INFINITY), number(6, 3));
    sink.take(
      remoteWrite1Decoder(new MetricTypes(new SeriesHash([1, 2]))),
      nested(1, label, stale, infinite),
    );
    expect(sink.counts.omitted).toEqual({ stale: 1 });
    expect(sink.points.map(({ histogram }) => histogram)).toEqual([
      { count: 3, sum: undefined, bounds: [0], counts: [3, 0] },
    ]);
  });
});
