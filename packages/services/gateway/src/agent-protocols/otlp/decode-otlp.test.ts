import { beforeEach, describe, expect, it } from 'vitest';
import {
  attributesOf,
  encodeOtlp,
  encodeOtlpJson,
  metricsOf,
  scrapeOfOtlp,
  withoutPacking,
} from '../../testing/otlp.fixture.ts';
import { RecordingSink } from '../../testing/recording-sink.harness.ts';
import { decodeOtlpJson } from './decode-otlp-json.ts';
import { decodeOtlpProtobuf } from './decode-otlp-protobuf.ts';

const NOW = Date.UTC(2026, 10, 28);
const TIME = `${NOW}123456`;
const START = `${NOW - 60_000}999999`;
const RESOURCE = ['host.name', 'a', 'os.type', 'linux'];

let sink: RecordingSink;
let jsonSink: RecordingSink;
beforeEach(() => {
  sink = new RecordingSink();
  jsonSink = new RecordingSink();
});

/** Takes a body in both encodings, of protobuf with both forms of lists, which have to agree. */
function takeBoth(resourceMetrics: readonly object[]): RecordingSink {
  const body = encodeOtlp(resourceMetrics);
  const unpacked = new RecordingSink().take(decodeOtlpProtobuf, withoutPacking(body));
  sink.take(decodeOtlpProtobuf, body);
  expect(unpacked.points).toEqual(sink.points);
  expect(unpacked.counts).toEqual(sink.counts);
  jsonSink.take(decodeOtlpJson, encodeOtlpJson(resourceMetrics));
  expect(jsonSink.points).toEqual(sink.points);
  expect(jsonSink.counts).toEqual(sink.counts);
  expect(jsonSink.examples).toEqual(sink.examples);
  return sink;
}

const take = (...metrics: object[]) => takeBoth([metricsOf('a', ...metrics)]);
const at = { timeUnixNano: TIME, startTimeUnixNano: START };
const gauge = (...dataPoints: object[]) => ({ name: 'x', unit: '1', gauge: { dataPoints } });

function sum(aggregationTemporality: number, isMonotonic: boolean, ...dataPoints: object[]): object {
  return { name: 'x', sum: { dataPoints, aggregationTemporality, isMonotonic } };
}

function histogram(point: object, aggregationTemporality = 2): object {
  return { name: 'h', unit: 's', histogram: { dataPoints: [{ ...at, ...point }], aggregationTemporality } };
}

function exponential(point: object, aggregationTemporality = 2): object {
  const dataPoints = [{ ...at, count: 9, ...point }];
  return { name: 'e', exponentialHistogram: { dataPoints, aggregationTemporality } };
}

const summary = (point: object) => ({
  name: 's',
  unit: 'ms',
  summary: { dataPoints: [{ ...at, ...point }] },
});

describe('a body of OTLP, in protobuf and in JSON', () => {
  it('gives points of gauges with resource, attributes, unit and times in whole milliseconds', () => {
    take(gauge({ ...at, attributes: attributesOf('b', '2', 'a', '1'), asDouble: 1.5 }, { ...at, asInt: -7 }));
    const series = { protocol: 'otlp', name: 'x', labels: [], resource: RESOURCE, type: 'gauge', unit: '1' };
    expect(sink.points).toEqual([
      { series: { ...series, labels: ['a', '1', 'b', '2'] }, time: NOW, value: 1.5, start: NOW - 60_000 },
      { series, time: NOW, value: -7, start: NOW - 60_000 },
    ]);
  });

  it.each<[string, number, boolean, string]>([
    ['cumulative and monotonic: a counter', 2, true, 'counter'],
    ['cumulative and not monotonic: a gauge', 2, false, 'gauge'],
    ['delta and monotonic: a delta', 1, true, 'delta'],
  ])('takes sums that are %s', (_, temporality, isMonotonic, type) => {
    take(sum(temporality, isMonotonic, { ...at, asInt: '9007199254740993' }));
    expect(sink.points).toMatchObject([{ series: { type }, value: 2 ** 53, start: NOW - 60_000 }]);
  });

  it.each<[string, object]>([
    ['sums without temporality', sum(0, true, {}, {})],
    ['sums of an unknown temporality', sum(7, true, {}, {})],
    ['deltas that are not monotonic', sum(1, false, {}, {})],
  ])('refuses %s', (_, metric) => {
    expect(take(metric, gauge({ asInt: 1 })).counts).toMatchObject({
      points: 1,
      rejected: { unsupported_type: 2 },
    });
    expect(sink.examples).toEqual(['x: its type, or the temporality of its values, is not supported']);
  });

  it('refuses histograms without temporality, and metrics without name', () => {
    take(
      histogram({}, 0),
      exponential({}, 0),
      { gauge: { dataPoints: [{ asInt: 1 }] } },
      { name: 'no data' },
    );
    expect(sink.counts).toMatchObject({
      points: 0,
      rejected: { invalid_name: 1 },
      rejectedHistograms: { unsupported_type: 2 },
    });
    expect(sink.examples.at(-1)).toBe('a series without a name: its name is missing or has invalid Unicode');
  });

  it('describes the series of a scrape once', () => {
    takeBoth(scrapeOfOtlp('web-1', NOW));
    takeBoth(scrapeOfOtlp('web-1', NOW + 10_000));
    expect([sink.described, jsonSink.described]).toEqual([512, 512]);
    expect(sink.points).toHaveLength(512);
    expect(new Set(sink.points.map(({ series }) => series)).size).toBe(512);
    expect(sink.points[511]!.time).toBe(NOW + 10_000);
    takeBoth(scrapeOfOtlp('web-2', NOW));
    expect(sink.described).toBe(1_024);
  });

  it('keeps apart what differs by unit or type alone', () => {
    const point = { asInt: 1 };
    take(
      gauge(point),
      { ...gauge(point), unit: 'By' },
      sum(2, true, point),
      sum(1, true, point),
      sum(2, false, point),
    );
    expect(new Set(sink.points.map(({ series }) => series)).size).toBe(5);
  });

  it('leaves out points without recorded value, values that are no numbers, and exemplars', () => {
    const exemplars = [{ asDouble: 1 }, {}];
    take(
      gauge(
        { flags: 1 },
        { flags: 3, asDouble: 5 },
        { asDouble: Number.NaN },
        { flags: 2, asInt: 4, exemplars },
      ),
      sum(2, true, { asDouble: Number.NEGATIVE_INFINITY }),
      histogram({ flags: 1, exemplars }),
      exponential({ flags: 1 }),
      summary({ flags: 1 }),
    );
    const omitted = { stale: 5, not_a_number: 1, infinite: 1, exemplar: 4 };
    expect(sink.counts).toEqual({ points: 1, rejected: {}, rejectedHistograms: {}, omitted });
  });

  it('refuses points without a value', () => {
    expect(take(gauge({}, at)).counts).toMatchObject({ points: 0, rejected: { invalid_value: 2 } });
  });

  it.each<[string, string, number]>([
    ['0', '0', 0],
    ['half a millisecond', '500000', 0],
    ['one nanosecond before a second', '999999999', 999],
    ['now', '1795824000123999999', 1_795_824_000_123],
    ['2^64 - 1', '18446744073709551615', 18_446_744_073_709],
  ])('gives the time in whole milliseconds: %s', (_, timeUnixNano, time) => {
    expect(take(gauge({ timeUnixNano, asInt: 1 })).points[0]!.time).toBe(time);
  });

  it.each(['9223372036854775807', '-9223372036854775808', '-1', '4294967296'])(
    'gives the integer %s',
    (asInt) => {
      expect(take(gauge({ asInt })).points[0]!.value).toBe(Number(asInt));
    },
  );

  it('has attributes of all types as text', () => {
    const nested = {
      kvlistValue: { values: [{ key: 'k"', value: { intValue: '9007199254740993' } }, { key: 'none' }] },
    };
    const values: [string, object][] = [
      [
        'array',
        {
          arrayValue: {
            values: [{ stringValue: 'a"' }, { boolValue: true }, nested, {}, { doubleValue: 0.5 }],
          },
        },
      ],
      ['bool', { boolValue: false }],
      ['bytes', { bytesValue: Buffer.from('hello') }],
      ['double', { doubleValue: 1e21 }],
      ['empty', { stringValue: '' }],
      ['infinite', { arrayValue: { values: [{ doubleValue: Number.POSITIVE_INFINITY }] } }],
      ['int', { intValue: '-9223372036854775808' }],
      ['map', nested],
      ['nothing', {}],
    ];
    take(gauge({ asInt: 1, attributes: values.map(([key, value]) => ({ key, value })) }));
    expect(sink.points[0]!.series.labels).toEqual([
      ...['array', '["a\\"",true,{"k\\"":9007199254740993,"none":null},null,0.5]'],
      ...['bool', 'false', 'bytes', 'aGVsbG8=', 'double', '1e+21', 'infinite', '["Infinity"]'],
      ...['int', '-9223372036854775808', 'map', '{"k\\"":9007199254740993,"none":null}'],
    ]);
  });

  it.each<[string, object[]]>([
    ['a repeated name', attributesOf('a', '1', 'a', '2')],
    ['an empty name', attributesOf('', '1')],
    ['more than 256 of them', attributesOf(...Array.from({ length: 514 }, (_, index) => `l${index}`))],
    [
      'a long list',
      [
        {
          key: 'a',
          value: { arrayValue: { values: Array.from({ length: 9_000 }, () => ({ boolValue: true })) } },
        },
      ],
    ],
  ])('refuses points whose attributes have %s, also those of the resource', (_, attributes) => {
    take(gauge({ asInt: 1, attributes }, { asInt: 2 }), summary({ attributes }), {
      ...histogram({ attributes }),
    });
    expect(sink.counts).toMatchObject({
      points: 1,
      rejected: { invalid_labels: 2 },
      rejectedHistograms: { invalid_labels: 1 },
    });
    takeBoth([
      { resource: { attributes }, scopeMetrics: [{ metrics: [gauge({ asInt: 1 }, { asInt: 2 })] }] },
    ]);
    expect(sink.counts).toMatchObject({ points: 0, rejected: { invalid_labels: 2 } });
  });

  it('takes metrics without resource or scope', () => {
    expect(takeBoth([{ scopeMetrics: [{ metrics: [gauge({ asInt: 1 })] }] }, {}]).points).toMatchObject([
      { series: { resource: [] }, value: 1, time: 0, start: 0 },
    ]);
  });
});

describe('a histogram of OTLP, in protobuf and in JSON', () => {
  it('is given with its bounds, as a counter or as a delta', () => {
    const point = { count: 6, sum: 12.5, bucketCounts: [1, 2, 3], explicitBounds: [0.5, 1], min: 0, max: 9 };
    take(histogram(point), histogram(point, 1));
    const expected = { count: 6, sum: 12.5, bounds: [0.5, 1], counts: [1, 2, 3] };
    expect(sink.points.map((each) => each.histogram)).toEqual([expected, expected]);
    expect(sink.points).toMatchObject([
      { series: { name: 'h', type: 'counter', unit: 's' }, time: NOW, start: NOW - 60_000 },
      { series: { type: 'delta' } },
    ]);
  });

  it.each<[string, object]>([
    ['no buckets', {}],
    ['one bucket without bounds', { bucketCounts: [4] }],
    [
      '10,000 bounds',
      {
        bucketCounts: Array(10_001).fill(0),
        explicitBounds: Array.from({ length: 10_000 }, (_, index) => index),
      },
    ],
  ])('keeps count and sum alone with %s', (_, point) => {
    take(histogram({ count: 4, ...point }));
    expect(sink.points[0]!.histogram).toEqual({ count: 4, sum: undefined, bounds: [], counts: [] });
  });

  it.each<[string, object]>([
    ['more bounds than counts', { bucketCounts: [1], explicitBounds: [1] }],
    ['bounds without counts', { explicitBounds: [1] }],
    ['counts without bounds', { bucketCounts: [1, 2] }],
    ['bounds that do not ascend', { bucketCounts: [1, 1, 1], explicitBounds: [2, 1] }],
    ['a bound twice', { bucketCounts: [1, 1, 1], explicitBounds: [1, 1] }],
    ['an infinite bound', { bucketCounts: [1, 1], explicitBounds: [Number.POSITIVE_INFINITY] }],
    ['a bound that is NaN', { bucketCounts: [1, 1], explicitBounds: [Number.NaN] }],
    [
      '10,000 bounds of which the last is less',
      {
        bucketCounts: Array(10_001).fill(0),
        explicitBounds: Array.from({ length: 10_000 }, (_, index) => index % 9_999),
      },
    ],
  ])('is refused with %s', (_, point) => {
    expect(take(histogram(point)).counts).toMatchObject({
      points: 0,
      rejectedHistograms: { invalid_value: 1 },
    });
  });

  it('gets explicit bounds if it is exponential', () => {
    const sides = {
      positive: { offset: 0, bucketCounts: [1, 2] },
      negative: { offset: 1, bucketCounts: [3] },
    };
    take(exponential({ sum: 5, scale: 0, zeroCount: 4, zeroThreshold: 0.5, ...sides }));
    expect(sink.points).toMatchObject([
      {
        series: { name: 'e', type: 'counter' },
        histogram: {
          count: 9,
          sum: 5,
          bounds: [-4, -2, -0.5, 0.5, 1, 2, 4],
          counts: [0, 3, 0, 4, 0, 1, 2, 0],
        },
      },
    ]);
  });

  it.each<[string, object]>([
    ['a scale of 2^31 - 1', { scale: 2 ** 31 - 1, positive: { bucketCounts: [1, 1] } }],
    ['a scale of -2^31', { scale: -(2 ** 31), positive: { bucketCounts: [1, 1] } }],
    ['an offset of 2^31 - 1', { positive: { offset: 2 ** 31 - 1, bucketCounts: [1] } }],
    ['more than 160 buckets', { positive: { bucketCounts: Array(161).fill(1) } }],
    [
      'more than 160 buckets on both sides',
      {
        positive: { bucketCounts: Array(80).fill(1) },
        negative: { bucketCounts: Array(80).fill(1) },
      },
    ],
  ])('keeps count and sum alone if it is exponential with %s', (_, point) => {
    take(exponential({ sum: 1, ...point }));
    expect(sink.points[0]!.histogram).toEqual({ count: 9, sum: 1, bounds: [], counts: [] });
  });

  it('is refused if its bucket of zero is narrower than 0', () => {
    expect(take(exponential({ zeroThreshold: -1 })).counts.rejectedHistograms).toEqual({ invalid_value: 1 });
  });
});

describe('a summary of OTLP, in protobuf and in JSON', () => {
  it('becomes two counters, and a gauge for each quantile', () => {
    const quantileValues = [
      { quantile: 0.5, value: 1 },
      { quantile: 0.99, value: 3 },
      { quantile: 1, value: Number.NaN },
    ];
    take(summary({ count: 4, sum: 6.5, quantileValues, attributes: attributesOf('a', '1', 'z', '2') }));
    const common = { protocol: 'otlp', resource: RESOURCE };
    const labels = ['a', '1', 'z', '2'];
    const quantile = (text: string) => ['a', '1', 'quantile', text, 'z', '2'];
    const one = { ...common, name: 's', type: 'gauge', unit: 'ms' };
    expect(sink.points).toEqual([
      {
        series: { ...common, name: 's_count', labels, type: 'counter', unit: '' },
        time: NOW,
        value: 4,
        start: NOW - 60_000,
      },
      {
        series: { ...common, name: 's_sum', labels, type: 'counter', unit: 'ms' },
        time: NOW,
        value: 6.5,
        start: NOW - 60_000,
      },
      { series: { ...one, labels: quantile('0.5') }, time: NOW, value: 1, start: 0 },
      { series: { ...one, labels: quantile('0.99') }, time: NOW, value: 3, start: 0 },
    ]);
    expect(sink.counts.omitted).toEqual({ not_a_number: 1 });
  });

  it.each<[string, object]>([
    ['a quantile of 7', { quantileValues: [{ quantile: 0.5 }, { quantile: 7 }] }],
    ['a quantile below 0', { quantileValues: [{ quantile: -0.1 }] }],
    ['a quantile that is NaN', { quantileValues: [{ quantile: Number.NaN }] }],
    ['101 quantiles', { quantileValues: Array(101).fill({ quantile: 0.5 }) }],
  ])('is refused with %s', (_, point) => {
    expect(take(summary(point)).counts).toMatchObject({ points: 0, rejected: { invalid_value: 1 } });
  });

  it('has no quantiles if an attribute has that name', () => {
    take(
      summary({ quantileValues: [{ quantile: 0.5, value: 1 }], attributes: attributesOf('quantile', 'x') }),
    );
    expect(sink.counts).toMatchObject({ points: 2, rejected: { invalid_labels: 1 } });
  });
});
