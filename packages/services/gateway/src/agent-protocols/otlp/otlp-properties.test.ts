import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeOtlp, encodeOtlpJson, otlpRequest } from '../../testing/otlp.fixture.ts';
import { RecordingSink } from '../../testing/recording-sink.harness.ts';
import { decodeOtlpJson } from './decode-otlp-json.ts';
import { decodeOtlpProtobuf } from './decode-otlp-protobuf.ts';

const text = fc.string({ unit: 'grapheme', maxLength: 8 });
const int64 = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String);
const count = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String);
const { value } = fc.letrec<{ value: object }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text.map((stringValue) => ({ stringValue })),
    fc.boolean().map((boolValue) => ({ boolValue })),
    int64.map((intValue) => ({ intValue })),
    fc.double().map((doubleValue) => ({ doubleValue })),
    fc.uint8Array({ maxLength: 5 }).map((bytesValue) => ({ bytesValue })),
    fc.array(tie('value'), { maxLength: 3 }).map((values) => ({ arrayValue: { values } })),
    fc
      .array(fc.record({ key: text, value: tie('value') }), { maxLength: 3 })
      .map((values) => ({ kvlistValue: { values } })),
  ),
}));
const attributes = fc.array(
  fc.record({ key: fc.oneof(fc.constantFrom('a', 'b', 'quantile'), text), value }),
  {
    maxLength: 3,
  },
);
const temporality = fc.integer({ min: 0, max: 3 });
const common = {
  attributes,
  timeUnixNano: count,
  startTimeUnixNano: count,
  flags: fc.integer({ min: 0, max: 3 }),
};
const exemplars = fc.array(fc.constant({ asDouble: 1 }), { maxLength: 2 });
const number = fc
  .record({
    ...common,
    exemplars,
    asDouble: fc.double(),
    asInt: int64,
    which: fc.integer({ min: 0, max: 2 }),
  })
  .map(({ which, asDouble, asInt, ...rest }) => ({
    ...rest,
    ...(which === 0 ? { asDouble } : which === 1 ? { asInt } : {}),
  }));
const counts = fc.array(count, { maxLength: 4 });
const histogram = fc.record(
  {
    ...common,
    count,
    sum: fc.double(),
    bucketCounts: counts,
    explicitBounds: fc.array(fc.double(), { maxLength: 3 }),
  },
  { requiredKeys: ['attributes'] },
);
const int32 = fc.oneof(fc.integer({ min: -4, max: 8 }), fc.integer());
const side = fc.record({ offset: int32, bucketCounts: counts }, { requiredKeys: [] });
const exponential = fc.record(
  {
    ...common,
    count,
    sum: fc.double(),
    scale: int32,
    zeroCount: count,
    zeroThreshold: fc.double(),
    positive: side,
    negative: side,
  },
  { requiredKeys: ['attributes'] },
);
const quantile = fc.record({ quantile: fc.double({ min: 0, max: 1.1 }), value: fc.double() });
const summary = fc.record({
  ...common,
  count,
  sum: fc.double(),
  quantileValues: fc.array(quantile, { maxLength: 3 }),
});
const listOf = (point: fc.Arbitrary<object>) => fc.array(point, { maxLength: 3 });
const data = fc.oneof(
  listOf(number).map((dataPoints) => ({ gauge: { dataPoints } })),
  fc
    .record({ dataPoints: listOf(number), aggregationTemporality: temporality, isMonotonic: fc.boolean() })
    .map((sum) => ({ sum })),
  fc
    .record({ dataPoints: listOf(histogram), aggregationTemporality: temporality })
    .map((each) => ({ histogram: each })),
  fc
    .record({ dataPoints: listOf(exponential), aggregationTemporality: temporality })
    .map((each) => ({ exponentialHistogram: each })),
  listOf(summary).map((dataPoints) => ({ summary: { dataPoints } })),
);
const metric = fc
  .tuple(fc.record({ name: text, unit: text }), data)
  .map(([head, body]) => ({ ...head, ...body }));
const request = fc.array(
  fc.record({
    resource: fc.record({ attributes }),
    scopeMetrics: fc.array(fc.record({ metrics: fc.array(metric, { maxLength: 3 }) }), { maxLength: 2 }),
  }),
  { maxLength: 3 },
);

/** Names, values and times of the points of gauges in a body, as protobufjs reads them. */
function gaugesIn(body: Buffer): object[] {
  const decoded = otlpRequest.toObject(otlpRequest.decode(body), { longs: BigInt as never, defaults: true });
  const points: object[] = [];
  for (const { resource, scopeMetrics } of decoded.resourceMetrics) {
    for (const { name, gauge } of scopeMetrics.flatMap((scope: { metrics: object[] }) => scope.metrics)) {
      for (const point of gauge?.dataPoints ?? []) {
        const sent = point.asInt === undefined ? point.asDouble : Number(point.asInt);
        const isTaken = name !== '' && !(point.flags & 1) && Number.isFinite(sent);
        if (!isTaken || !isUnique(point.attributes) || !isUnique(resource.attributes)) continue;
        points.push({ name, value: sent, time: Number(BigInt(point.timeUnixNano) / 1_000_000n) });
      }
    }
  }
  return points;
}

function isUnique(entries: readonly { key: string }[]): boolean {
  const keys = entries.map(({ key }) => key);
  return new Set(keys).size === keys.length && !keys.includes('');
}

describe('a valid body of OTLP', () => {
  it('gives the same to a sink in protobuf and in JSON', () => {
    const property = fc.property(request, (resourceMetrics) => {
      const sink = new RecordingSink().take(decodeOtlpProtobuf, encodeOtlp(resourceMetrics));
      const other = new RecordingSink().take(decodeOtlpJson, encodeOtlpJson(resourceMetrics));
      expect(other.points).toEqual(sink.points);
      expect(other.counts).toEqual(sink.counts);
      expect(other.examples).toEqual(sink.examples);
    });
    fc.assert(property, { numRuns: 500 });
  });

  it('gives the points of gauges that protobufjs reads in it', () => {
    const gauge = fc.record({ name: text, gauge: fc.record({ dataPoints: listOf(number) }) });
    const scopeMetrics = fc.array(fc.record({ metrics: fc.array(gauge, { maxLength: 3 }) }), {
      maxLength: 2,
    });
    const bodies = fc.array(fc.record({ resource: fc.record({ attributes }), scopeMetrics }), {
      maxLength: 3,
    });
    const property = fc.property(bodies, (resourceMetrics) => {
      const body = encodeOtlp(resourceMetrics);
      const { points } = new RecordingSink().take(decodeOtlpProtobuf, body);
      const taken = points.map(({ series: { name }, value: each, time }) => ({ name, value: each, time }));
      expect(taken).toEqual(gaugesIn(body));
    });
    fc.assert(property, { numRuns: 300 });
  });
});
