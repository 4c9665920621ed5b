import { describe, expect, it } from 'vitest';
import { double, fixed, nested, number, varint } from '../../testing/protobuf-bytes.fixture.ts';
import { outcomeOf, RecordingSink } from '../../testing/recording-sink.harness.ts';
import { decodeOtlpJson } from './decode-otlp-json.ts';
import { decodeOtlpProtobuf } from './decode-otlp-protobuf.ts';

const bytes = (...values: number[]) => Buffer.from(values);
const POINT = nested(1, fixed(3, 5_000_000), double(4, 7));
const GAUGE = nested(5, POINT);
const NAME = nested(1, 'x');
const RESOURCE = nested(1, nested(1, nested(1, 'host.name'), nested(2, nested(1, 'a'))));
const metrics = (...parts: Buffer[]) => nested(1, nested(2, nested(2, ...parts)));
const attribute = (field: number, value: Buffer) => nested(field, nested(1, 'a'), nested(2, value));
const withPoint = (...parts: Buffer[]) => metrics(NAME, nested(5, nested(1, double(4, 1), ...parts)));

/** A list in a list, and so on. */
function deep(depth: number): Buffer {
  let value = nested(1, 'x');
  for (let level = 0; level < depth; level += 1) value = nested(5, nested(1, value));
  return value;
}

const takeProtobuf = (body: Uint8Array) => new RecordingSink().take(decodeOtlpProtobuf, body);
const takeJson = (body: unknown) =>
  new RecordingSink().take(
    decodeOtlpJson,
    Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
  );

describe('a body of OTLP in protobuf', () => {
  it('may have the resource behind its scopes, and the name behind its points', () => {
    const scope = nested(2, nested(2, GAUGE, nested(3, 'By'), NAME));
    const expected = [{ series: { name: 'x', unit: 'By', resource: ['host.name', 'a'] }, time: 5, value: 7 }];
    expect(takeProtobuf(nested(1, scope, RESOURCE)).points).toMatchObject(expected);
    expect(takeProtobuf(nested(1, RESOURCE, scope)).points).toMatchObject(expected);
  });

  it('joins messages that are sent twice', () => {
    const second = nested(1, nested(1, nested(1, 'os.type'), nested(2, nested(1, 'linux'))));
    const twice = nested(1, RESOURCE, nested(2, nested(2, NAME, GAUGE, GAUGE)), second);
    const { points } = takeProtobuf(twice);
    expect(points).toHaveLength(2);
    expect(points[1]!.series.resource).toEqual(['host.name', 'a', 'os.type', 'linux']);
    const sums = nested(7, nested(1, double(4, 1)), number(2, 1));
    expect(takeProtobuf(metrics(NAME, sums, nested(7, number(2, 2), number(3, 1)))).points).toMatchObject([
      { series: { type: 'counter' } },
    ]);
  });

  it('has the last one of two kinds of data, of two values and of two names', () => {
    const { points } = takeProtobuf(
      metrics(nested(1, 'y'), nested(9, nested(1)), nested(5, nested(1, double(4, 1), fixed(6, 9))), NAME),
    );
    expect(points).toMatchObject([{ series: { name: 'x', type: 'gauge' }, value: 9 }]);
  });

  it('may have numbers one by one or packed', () => {
    const counts = [fixed(6, 1), fixed(6, 2), double(7, 0.5)];
    const doubles = Buffer.concat([double(1, 0.5).subarray(1)]);
    const packed = [nested(6, fixed(1, 1).subarray(1), fixed(1, 2).subarray(1)), nested(7, doubles)];
    const [one, other] = [counts, packed].map(
      (parts) =>
        takeProtobuf(metrics(NAME, nested(9, nested(1, ...parts), number(2, 2)))).points[0]?.histogram,
    );
    expect(one).toEqual({ count: 0, sum: undefined, bounds: [0.5], counts: [1, 2] });
    expect(other).toEqual(one);
  });

  it('takes unknown fields everywhere', () => {
    const unknown = Buffer.concat([number(99, -1), nested(98, Buffer.alloc(1024 * 1024)), double(97, 1)]);
    const point = nested(1, unknown, double(4, 1));
    const metric = nested(2, unknown, NAME, nested(5, unknown, point), unknown);
    const body = Buffer.concat([unknown, nested(1, unknown, nested(2, unknown, metric)), unknown]);
    expect(takeProtobuf(body).points).toHaveLength(1);
  });

  it('lets others go first after at most a thousand points, metrics, scopes or resources', () => {
    const points = nested(5, Buffer.alloc(POINT.length * 5_000, POINT));
    expect(takeProtobuf(metrics(NAME, points)).turns).toBeGreaterThanOrEqual(5);
    expect(takeProtobuf(Buffer.alloc(20_000, nested(1))).turns).toBeGreaterThanOrEqual(9);
    expect(takeProtobuf(nested(1, Buffer.alloc(20_000, nested(2)))).turns).toBeGreaterThanOrEqual(9);
    expect(takeProtobuf(nested(1, nested(2, Buffer.alloc(20_000, nested(2))))).turns).toBeGreaterThanOrEqual(
      9,
    );
  });

  it('takes a million resources without points, and refuses a million attributes', () => {
    expect(takeProtobuf(Buffer.alloc(2_000_000, nested(1))).counts.points).toBe(0);
    const attributes = Buffer.alloc(4_000_000, nested(7, nested(1)));
    expect(takeProtobuf(withPoint(attributes)).counts).toMatchObject({
      points: 0,
      rejected: { invalid_labels: 1 },
    });
  });

  it.each<[string, Buffer]>([
    ['more than a million attributes', withPoint(Buffer.alloc(2_000_002, nested(7)))],
    ['more than a thousand resources in one', nested(1, Buffer.alloc(2_002, nested(1)))],
    ['more than a thousand gauges in one metric', metrics(NAME, Buffer.alloc(2_002, nested(5)))],
  ])('is refused as malformed if it has %s', (_, body) => {
    expect(outcomeOf(decodeOtlpProtobuf, body)).toBe('MalformedBodyError');
    expect(takeProtobuf(metrics(NAME, Buffer.alloc(2_000, nested(5)))).counts.points).toBe(0);
  });

  it('takes 64 nested lists and refuses 65', () => {
    expect(takeProtobuf(withPoint(attribute(7, deep(63)))).points).toHaveLength(1);
    expect(outcomeOf(decodeOtlpProtobuf, withPoint(attribute(7, deep(64))))).toBe('MalformedBodyError');
  });

  it.each<[string, Buffer]>([
    ['a length beyond the body', bytes(10, 9, 1)],
    ['a length beyond its message', nested(1, bytes(18, 9, 1))],
    ['a length of 2^63', Buffer.concat([bytes(10), varint(2n ** 63n)])],
    ['a varint of 11 bytes', withPoint(bytes(64, ...Array(10).fill(0x80), 1))],
    ['a group', nested(1, bytes(11))],
    ['the end of a group', withPoint(bytes(12))],
    ['resource metrics of a wrong wire type', number(1, 1)],
    ['scope metrics of a wrong wire type', nested(1, number(2, 1))],
    ['a resource of a wrong wire type', nested(1, number(1, 1))],
    ['attributes of a resource of a wrong wire type', nested(1, nested(1, number(1, 1)))],
    ['metrics of a wrong wire type', nested(1, nested(2, number(2, 1)))],
    ['a name of a wrong wire type', metrics(number(1, 1))],
    ['a gauge of a wrong wire type', metrics(number(5, 1))],
    ['points of a wrong wire type', metrics(NAME, nested(5, number(1, 1)))],
    ['a temporality of a wrong wire type', metrics(NAME, nested(7, double(2, 1)))],
    ['a value of a wrong wire type', withPoint(number(4, 1))],
    ['a time of a wrong wire type', withPoint(number(3, 1))],
    ['attributes of a wrong wire type', withPoint(number(7, 1))],
    ['a time that is cut', withPoint(bytes(25, 1, 2, 3))],
    [
      'packed counts of odd length',
      metrics(NAME, nested(9, nested(1, nested(6, bytes(1, 2, 3))), number(2, 2))),
    ],
    ['packed bounds of odd length', metrics(NAME, nested(9, nested(1, nested(7, bytes(1))), number(2, 2)))],
    [
      'packed counts that are cut',
      metrics(NAME, nested(10, nested(1, nested(8, nested(2, bytes(0x80)))), number(2, 2))),
    ],
    ['invalid UTF-8 in the name', metrics(nested(1, bytes(0xff)), GAUGE)],
    ['invalid UTF-8 in the unit', metrics(NAME, nested(3, bytes(0xc3)), GAUGE)],
    ['invalid UTF-8 in an attribute', withPoint(attribute(7, nested(1, bytes(0x80))))],
    ['a wrong wire type in an attribute', withPoint(attribute(7, number(1, 1)))],
    ['values that nest 10,000 deep', withPoint(attribute(7, deep(3_000)))],
  ])('is refused as malformed with %s', (_, body) => {
    expect(outcomeOf(decodeOtlpProtobuf, body)).toBe('MalformedBodyError');
  });
});

const jsonMetric = (metric: object) => ({ resourceMetrics: [{ scopeMetrics: [{ metrics: [metric] }] }] });
const jsonPoint = (point: object) => jsonMetric({ name: 'x', gauge: { dataPoints: [point] } });

describe('a body of OTLP in JSON', () => {
  it.each<[string, unknown, number]>([
    ['a text', '-5', -5],
    ['a number', -5, -5],
    ['a number with an exponent', 1e3, 1_000],
    ['2^63 - 1', '9223372036854775807', 2 ** 63],
  ])('takes integers as %s', (_, asInt, value) => {
    expect(takeJson(jsonPoint({ asInt })).points).toMatchObject([{ value }]);
  });

  it.each<[string, unknown, number]>([
    ['a number', 1.5, 1.5],
    ['a text', '-2.5e3', -2_500],
  ])('takes doubles as %s', (_, asDouble, value) => {
    expect(takeJson(jsonPoint({ asDouble })).points).toMatchObject([{ value }]);
  });

  it('takes NaN and Infinity as texts', () => {
    expect(takeJson(jsonPoint({ asDouble: 'NaN' })).omitted).toEqual({ not_a_number: 1 });
    expect(takeJson(jsonPoint({ asDouble: '-Infinity' })).omitted).toEqual({ infinite: 1 });
  });

  it('takes times as numbers', () => {
    expect(takeJson(jsonPoint({ asInt: 1, timeUnixNano: 5_999_999 })).points).toMatchObject([{ time: 5 }]);
  });

  it('takes null as a default, a byte order mark, and names of enumerations', () => {
    const point = { asInt: 1, attributes: null, exemplars: null, flags: null };
    const text = JSON.stringify({ ...jsonPoint(point), other: null });
    expect(takeJson(`\ufeff${text}`).points).toHaveLength(1);
    expect(takeJson({ resourceMetrics: null }).counts.points).toBe(0);
    const sum = {
      dataPoints: [{ asInt: 1 }],
      aggregationTemporality: 'AGGREGATION_TEMPORALITY_DELTA',
      isMonotonic: true,
    };
    expect(takeJson(jsonMetric({ name: 'x', sum })).points).toMatchObject([{ series: { type: 'delta' } }]);
  });

  it('ignores unknown members, also those in snake_case, and takes the last of two', () => {
    expect(takeJson({ resource_metrics: [], x: [1, { y: null }] }).counts.points).toBe(0);
    const twice =
      '{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"x","gauge":{"dataPoints":[{"asInt":1,"asInt":2}]}}]}]}]}';
    expect(takeJson(twice).points).toMatchObject([{ value: 2 }]);
  });

  it('refuses names and attributes with lone surrogates', () => {
    const metric = '{"name":"\\ud800","gauge":{"dataPoints":[{"asInt":1}]}}';
    const point =
      '{"name":"x","gauge":{"dataPoints":[{"asInt":1,"attributes":[{"key":"\\udc00","value":{}}]}]}}';
    const body = `{"resourceMetrics":[{"scopeMetrics":[{"metrics":[${metric},${point}]}]}]}`;
    expect(takeJson(body).rejected).toEqual({ invalid_name: 1, invalid_labels: 1 });
  });

  it.each<[string, string | object]>([
    ['nothing', ''],
    ['null', 'null'],
    ['a list', '[]'],
    ['a number', '1'],
    ['100,000 nested lists', '['.repeat(100_000)],
    ['301 nested lists', `{"x":${'['.repeat(300)}${']'.repeat(300)}}`],
    ['a comma at the end', '{"resourceMetrics":[],}'],
    ['resource metrics that are no list', { resourceMetrics: {} }],
    ['a resource that is a list', { resourceMetrics: [{ resource: [] }] }],
    ['null in a list', { resourceMetrics: [null] }],
    ['a name that is a number', jsonMetric({ name: 1, gauge: {} })],
    ['a gauge that is a text', jsonMetric({ name: 'x', gauge: 'x' })],
    ['two kinds of data', jsonMetric({ name: 'x', gauge: {}, sum: {} })],
    [
      'an unknown name of an enumeration',
      jsonMetric({ name: 'x', sum: { aggregationTemporality: 'DELTA' } }),
    ],
    ['a flag that is a text', jsonMetric({ name: 'x', sum: { isMonotonic: 'true' } })],
    ['an integer with a fraction', jsonPoint({ asInt: 1.5 })],
    ['an integer as text with an exponent', jsonPoint({ asInt: '1e3' })],
    ['an integer over 64 bits', jsonPoint({ asInt: '18446744073709551616' })],
    ['a double that is no number', jsonPoint({ asDouble: 'one' })],
    ['a double that is an empty text', jsonPoint({ asDouble: '' })],
    ['a time below 0', jsonPoint({ asInt: 1, timeUnixNano: '-1' })],
    ['a time that is a list', jsonPoint({ asInt: 1, timeUnixNano: [] })],
    ['an attribute whose key is a number', jsonPoint({ asInt: 1, attributes: [{ key: 1 }] })],
    ['an attribute whose value is a text', jsonPoint({ asInt: 1, attributes: [{ key: 'a', value: 'b' }] })],
  ])('is refused as malformed if it has %s', (_, body) => {
    const sent = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
    expect(outcomeOf(decodeOtlpJson, sent)).toBe('MalformedBodyError');
  });

  it('is refused as malformed with invalid UTF-8', () => {
    expect(outcomeOf(decodeOtlpJson, Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]))).toBe(
      'MalformedBodyError',
    );
  });
});
