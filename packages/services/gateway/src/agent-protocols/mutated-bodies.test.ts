import { randomInt } from 'node:crypto';
import { createRandom } from '@tidewatch/harness/seeded-random';
import { describe, expect, it } from 'vitest';
import {
  type DatadogFixture,
  encodeDatadogJson,
  encodeDatadogJson2,
  encodeDatadogProtobuf,
} from '../testing/datadog.fixture.ts';
import { attributesOf, encodeOtlp, encodeOtlpJson, metricsOf } from '../testing/otlp.fixture.ts';
import {
  inDatadogJson,
  inDatadogProtobuf,
  inOtlpJson,
  inOtlpProtobuf,
  inRemoteWrite,
  type PointCounter,
} from '../testing/point-counters.fixture.ts';
import { RecordingSink } from '../testing/recording-sink.harness.ts';
import { encodeRequest1, encodeRequest2, request1, request2 } from '../testing/remote-write.fixture.ts';
import { compressSnappy } from '../testing/snappy.fixture.ts';
import { decodeDatadogJson1, decodeDatadogJson2 } from './datadog/decode-datadog-json.ts';
import { decodeDatadogProtobuf } from './datadog/decode-datadog-protobuf.ts';
import { decodeOtlpJson } from './otlp/decode-otlp-json.ts';
import { decodeOtlpProtobuf } from './otlp/decode-otlp-protobuf.ts';
import { remoteWrite1Decoder } from './remote-write/decode-remote-write-1.ts';
import { remoteWrite2Decoder } from './remote-write/decode-remote-write-2.ts';
import { MetricTypes } from './remote-write/metric-types.ts';
import { SeriesOrders } from './remote-write/series-orders.ts';
import type { PointDecoder } from './series/point-sink.ts';
import { decodeSnappy } from './wire/decode-snappy.ts';
import { MalformedBodyError } from './wire/malformed-body-error.ts';
import { SeriesHash } from './wire/series-hash.ts';

const decodeRemoteWrite2 = remoteWrite2Decoder(new SeriesOrders(10_000), 'org_1');

const { TIDEWATCH_TEST_FUZZ_BODIES: bodies = '3000', TIDEWATCH_TEST_FUZZ_SEED: givenSeed } = process.env;
const SEED = givenSeed === undefined ? randomInt(2 ** 32) : Number(givenSeed);
const BODIES = Number(bodies);
/** How much memory outside of the heap all bodies together may leave behind. */
const MAX_LEFT_BYTES = 64 * 1024 * 1024;
const INTERESTING = [0, 1, 0x7f, 0x80, 0xff, 0x22, 0x5b, 0x7b, 0x2d, 0x0a, 0x12, 0x0b];

const NOW = Date.UTC(2026, 10, 28);
const timeUnixNano = `${NOW}000000`;
const histograms = [
  { countInt: 9, sum: 4, timestamp: NOW, positiveSpans: [{ offset: 1, length: 2 }], positiveDeltas: [1, 2] },
  { countInt: 3, schema: -53, customValues: [1, 2], positiveSpans: [{ length: 1 }], positiveDeltas: [3] },
];
const SERIES = [
  { labels: ['__name__', 'load', 'instance', 'a'], samples: [{ value: 1, timestamp: NOW }, { value: 2.5 }] },
  {
    labels: ['__name__', 'x_total', 'zone', 'é'],
    type: 1,
    unit: 'bytes',
    samples: [{ value: -1, timestamp: -5 }],
  },
  { labels: ['__name__', 'h'], histograms, exemplars: [{ value: 1 }] },
];
const attributes = [
  ...attributesOf('a', '1'),
  { key: 'l', value: { arrayValue: { values: [{ intValue: 3 }, {}] } } },
];
const point = { attributes, timeUnixNano, startTimeUnixNano: '1' };
const METRICS = [
  metricsOf(
    'web-1',
    {
      name: 'g',
      unit: 'By',
      gauge: {
        dataPoints: [
          { ...point, asDouble: 1 },
          { ...point, asInt: 2, flags: 1 },
        ],
      },
    },
    {
      name: 'c',
      sum: { dataPoints: [{ ...point, asInt: -3 }], aggregationTemporality: 2, isMonotonic: true },
    },
    {
      name: 'h',
      histogram: {
        dataPoints: [{ ...point, count: 3, sum: 1, bucketCounts: [1, 2], explicitBounds: [5] }],
        aggregationTemporality: 1,
      },
    },
    {
      name: 'e',
      exponentialHistogram: {
        dataPoints: [{ ...point, count: 3, scale: 2, positive: { offset: -1, bucketCounts: [1, 2] } }],
        aggregationTemporality: 2,
      },
    },
    {
      name: 's',
      summary: { dataPoints: [{ ...point, count: 1, quantileValues: [{ quantile: 0.5, value: 1 }] }] },
    },
  ),
];

const decodeRemoteWrite1: PointDecoder = (body, sink) =>
  remoteWrite1Decoder(new MetricTypes(new SeriesHash([1, 2])))(body, sink);

/** Changes a body in up to four ways: bytes are set, removed, repeated, or moved. */
function mutate(original: Buffer, random: () => number): Buffer {
  let body = Buffer.from(original);
  const below = (limit: number) => Math.floor(random() * limit);
  for (let change = below(4); change >= 0 && body.length > 0; change -= 1) {
    const at = below(body.length);
    const end = Math.min(body.length, at + below(20));
    const kind = below(6);
    if (kind === 0) body[at] = below(256);
    else if (kind === 1) body[at] = INTERESTING[below(INTERESTING.length)] as number;
    else if (kind === 2) body[at] = (body[at] as number) ^ (1 << below(8));
    else if (kind === 3) body = Buffer.concat([body.subarray(0, at), body.subarray(end)]);
    else if (kind === 4) body = Buffer.concat([body.subarray(0, end), body.subarray(at)]);
    else body = Buffer.concat([body.subarray(end), body.subarray(0, end)]);
  }
  return body;
}

const DATADOG: readonly DatadogFixture[] = [
  {
    metric: 'system.io.rkb_s',
    host: 'web-01',
    device: 'sda',
    tags: ['env:prod'],
    points: [[1_795_872_000, 1.5]],
  },
  {
    metric: 'shop.orders',
    host: 'web-01',
    type: 'count',
    points: [
      [1_795_872_000, 2],
      [1_795_872_010, 3],
    ],
  },
];

/** What a decoder takes from a body; null if it refuses the body. Fails on every other error. */
function take(decode: PointDecoder, body: Buffer): RecordingSink | null {
  const sink = new RecordingSink();
  try {
    return sink.take(decode, body);
  } catch (error) {
    if (error instanceof MalformedBodyError) return null;
    throw new Error(`seed ${SEED}: ${body.toString('base64')}`, { cause: error });
  }
}

const totalOf = (counts: object) =>
  Object.values(counts).reduce((sum: number, each) => sum + (each as number), 0);

describe(`bodies of other agents in which bytes were changed, seed ${SEED}`, {
  timeout: 20_000 + BODIES * 5,
}, () => {
  it.each<[string, PointDecoder, Buffer, PointCounter]>([
    [
      'remote write 1.0',
      decodeRemoteWrite1,
      encodeRequest1(SERIES, [{ type: 1, metricFamilyName: 'x' }]),
      inRemoteWrite(request1),
    ],
    ['remote write 2.0', decodeRemoteWrite2, encodeRequest2(SERIES), inRemoteWrite(request2)],
    ['OTLP in protobuf', decodeOtlpProtobuf, encodeOtlp(METRICS), inOtlpProtobuf],
    ['OTLP in JSON', decodeOtlpJson, encodeOtlpJson(METRICS), inOtlpJson],
    ["protobuf of Datadog's agent", decodeDatadogProtobuf, encodeDatadogProtobuf(DATADOG), inDatadogProtobuf],
    ["JSON of Datadog's agent", decodeDatadogJson1, encodeDatadogJson(DATADOG), inDatadogJson],
    [
      "JSON of version 2 of Datadog's interface",
      decodeDatadogJson2,
      encodeDatadogJson2(DATADOG),
      inDatadogJson,
    ],
  ])('are taken or refused without any other error: %s', (_, decode, original, count) => {
    const random = createRandom(SEED);
    const { arrayBuffers } = process.memoryUsage();
    let taken = 0;
    let refused = 0;
    let compared = 0;
    for (let index = 0; index < BODIES; index += 1) {
      const body = mutate(original, random);
      const sink = take(decode, body);
      if (sink === null) refused += 1;
      else {
        taken += 1;
        const { points, rejected, rejectedHistograms, omitted } = sink.counts;
        const all = points + totalOf(rejected) + totalOf(rejectedHistograms) + totalOf(omitted);
        // Each point takes at least two bytes.
        expect(all).toBeLessThanOrEqual(body.length);
        const known = count(body);
        if (known === null) continue;
        compared += 1;
        if (all < known.least || all > known.most)
          throw new Error(
            `seed ${SEED}: ${all} points instead of ${known.least} to ${known.most} in ${body.toString('base64')}`,
          );
      }
    }
    expect(taken).toBeGreaterThan(0);
    expect(refused).toBeGreaterThan(0);
    expect(compared).toBeGreaterThan(BODIES / 100);
    expect(process.memoryUsage().arrayBuffers - arrayBuffers).toBeLessThan(MAX_LEFT_BYTES);
  });

  it('are decompressed or refused without any other error: snappy', () => {
    const random = createRandom(SEED);
    const original = compressSnappy(encodeRequest1([...SERIES, ...SERIES]));
    let refused = 0;
    for (let index = 0; index < BODIES; index += 1) {
      const body = mutate(original, random);
      try {
        expect(decodeSnappy(body, 4_096).length).toBeLessThanOrEqual(4_096);
      } catch (error) {
        if (!(error instanceof MalformedBodyError))
          throw new Error(`seed ${SEED}: ${body.toString('base64')}`, { cause: error });
        refused += 1;
      }
    }
    expect(refused).toBeGreaterThan(0);
  });
});
