import { beforeEach, describe, expect, it } from 'vitest';
import { double, nested, number } from '../../testing/protobuf-bytes.fixture.ts';
import { outcomeOf, RecordingSink } from '../../testing/recording-sink.harness.ts';
import { MalformedBodyError } from '../wire/malformed-body-error.ts';
import { decodeDatadogJson1, decodeDatadogJson2 } from './decode-datadog-json.ts';
import { decodeDatadogProtobuf } from './decode-datadog-protobuf.ts';
import { decodeIntake } from './decode-intake.ts';
import { decodeSketches } from './decode-sketches.ts';

const SECONDS = 1_795_872_000;
const TAGS = ['env:prod', 'role:web', 'role:api', 'url:http://x', 'urgent', 'host:other'];
const LABELS = [
  'device',
  'vda',
  'env',
  'prod',
  'host',
  'web-01',
  'role',
  'api,web',
  'tag',
  'urgent',
  'url',
  'http://x',
];
const POINTS = [
  { time: SECONDS * 1_000, value: 1.5 },
  { time: SECONDS * 1_000 + 10_000, value: 2 },
];
const ENTRY = {
  metric: 'system.io.rkb_s',
  points: [
    [SECONDS, 1.5],
    [SECONDS + 10, 2],
  ],
  type: 'gauge',
  host: 'web-01',
  device: 'vda',
  tags: TAGS,
  interval: 10,
  unit: 'kB',
};

let sink: RecordingSink;
beforeEach(() => {
  sink = new RecordingSink();
});

const takeJson = (...series: unknown[]) =>
  sink.take(decodeDatadogJson1, Buffer.from(JSON.stringify({ series })));
const takeJson2 = (...series: unknown[]) =>
  sink.take(decodeDatadogJson2, Buffer.from(JSON.stringify({ series })));
const resource = (type: string, name: string) => nested(1, nested(1, type), nested(2, name));
const point = (value: number, time: number) => nested(4, double(1, value), number(2, time));
const seriesOf = (type: number) =>
  nested(
    1,
    point(1.5, SECONDS),
    resource('host', 'web-01'),
    resource('device', 'vda'),
    nested(2, 'system.io.rkb_s'),
    ...TAGS.map((tag) => nested(3, tag)),
    point(2, SECONDS + 10),
    number(5, type),
    nested(6, 'kB'),
    nested(7, 'System'),
    number(8, 10),
    nested(9, number(1, 1)),
  );
const { points: _points, host: _host, device: _device, type: _type, ...COMMON } = ENTRY;
const ENTRY_2 = {
  ...COMMON,
  points: ENTRY.points.map(([timestamp, value]) => ({ timestamp, value })),
  resources: [
    { type: 'host', name: 'web-01' },
    { type: 'device', name: 'vda' },
    { type: 'pod', name: 'other' },
  ],
  type: 3,
  source_type_name: 'System',
  metadata: { origin: { product: 10 } },
};
const NUMBERS = ['', 'count', 'rate', 'gauge'];
const takeProtobuf = (...bodies: Buffer[]) => sink.take(decodeDatadogProtobuf, Buffer.concat(bodies));

describe.each<[string, (type: string) => unknown]>([
  ['JSON', (type) => takeJson({ ...ENTRY, type })],
  ['JSON of version 2', (type) => takeJson2({ ...ENTRY_2, type: NUMBERS.indexOf(type) })],
  ['protobuf', (type) => takeProtobuf(seriesOf(NUMBERS.indexOf(type)))],
])("series of Datadog's agent in %s", (_, take) => {
  it.each<[string, string, number]>([
    ['gauge', 'gauge', 0],
    ['rate', 'gauge', 0],
    ['count', 'delta', 10_000],
  ])('of the type %s are of the type %s', (sent, type, interval) => {
    take(sent);
    take(sent);
    const series = {
      protocol: 'datadog',
      name: 'system.io.rkb_s',
      labels: LABELS,
      resource: [],
      type,
      unit: 'kB',
    };
    expect(sink.points).toEqual(
      POINTS.map(({ time, value }) => ({ series, time, value, start: interval === 0 ? 0 : time - interval })),
    );
    expect(sink.described).toBe(1);
    expect(sink.rejected).toEqual({});
  });
});

describe.each<[string, (tags: readonly string[]) => unknown]>([
  ['JSON', (tags) => takeJson({ ...ENTRY, tags }, ENTRY)],
  ['JSON of version 2', (tags) => takeJson2({ ...ENTRY_2, tags }, ENTRY_2)],
  [
    'protobuf',
    (tags) =>
      takeProtobuf(
        nested(1, ...tags.map((tag) => nested(3, tag)), point(1, SECONDS), point(2, SECONDS), nested(2, 'a')),
        seriesOf(3),
      ),
  ],
])("tags in %s of Datadog's agent", (_, take) => {
  it('may be 250 of a series', () => {
    take(Array.from({ length: 250 }, (_, index) => `tag${index}:x`));
    expect(sink.rejected).toEqual({});
    expect(sink.points).toHaveLength(4);
  });

  it('are not read of a series that has more, whose points are refused, and the next series is taken', () => {
    take(Array.from({ length: 60_000 }, (_, index) => `tag${index}:x`));
    expect(sink.rejected).toEqual({ invalid_labels: 2 });
    expect(sink.examples).toEqual(['a series with over 256 tags']);
    expect(sink.points).toHaveLength(2);
    expect(sink.described).toBe(1);
  });
});

describe("JSON of Datadog's agent", () => {
  it('needs only a metric and points', () => {
    takeJson({ metric: 'a', points: [[SECONDS, 1]], tags: null, host: null, type: null });
    expect(sink.points).toMatchObject([{ series: { name: 'a', labels: [], type: 'gauge' }, value: 1 }]);
  });

  it.each<[string, unknown, string, number]>([
    ['null', null, 'must be an object', 1],
    ['no metric', { ...ENTRY, metric: '' }, 'metric must be a text that is not empty', 2],
    ['no points', { ...ENTRY, points: 5 }, 'points must be a list', 1],
    ['tags that are no texts', { ...ENTRY, tags: [1] }, 'tags must be a list of texts', 2],
    ['a host that is a number', { ...ENTRY, host: 1 }, 'host must be a text', 2],
    ['an unknown type', { ...ENTRY, type: 'toString' }, 'type must be gauge, rate or count', 2],
    ['a type that is a number', { ...ENTRY, type: 1 }, 'type must be gauge, rate or count', 2],
    [
      'a point that is a number',
      { ...ENTRY, points: [1] },
      'points must be lists of a time in seconds and a number',
      1,
    ],
    [
      'a value that is a text',
      { ...ENTRY, points: [[SECONDS, '1']] },
      'points must be lists of a time in seconds and a number',
      1,
    ],
  ])('with a series with %s refuses that alone', (_, entry, message, points) => {
    takeJson(ENTRY, entry, ENTRY);
    expect(sink.points).toHaveLength(4);
    expect(sink.rejected).toEqual({ invalid_value: points });
    expect(sink.examples).toEqual([`series 2: ${message}`]);
  });

  it('leaves out null, and refuses texts that are no Unicode', () => {
    takeJson(
      { ...ENTRY, points: [[SECONDS, null]] },
      { ...ENTRY, tags: ['a:\ud800'] },
      { ...ENTRY, metric: '\ud800' },
    );
    expect(sink.counts).toMatchObject({
      points: 0,
      omitted: { not_a_number: 1 },
      rejected: { invalid_labels: 2, invalid_name: 2 },
    });
  });

  it('lets others go first after at most a thousand points', () => {
    takeJson({ ...ENTRY, points: Array.from({ length: 5_000 }, (_, at) => [SECONDS + at, at]) });
    expect(sink.turns).toBeGreaterThanOrEqual(5);
    expect(sink.points).toHaveLength(5_000);
  });

  it.each(['', '{', '[]', 'null', '{"series":{}}', '['.repeat(100_000)])('is malformed: %.20j', (body) => {
    expect(outcomeOf(decodeDatadogJson1, Buffer.from(body))).toBe('MalformedBodyError');
  });
});

describe("JSON of version 2 of Datadog's interface", () => {
  it('needs only a metric and points, and is the same series as that of version 1', () => {
    const timestamp = SECONDS;
    takeJson2({ metric: 'a', points: [{ timestamp, value: 1 }], tags: null, resources: null, type: null });
    expect(sink.points).toMatchObject([{ series: { name: 'a', labels: [], type: 'gauge' }, value: 1 }]);
    takeJson({ metric: 'a', points: [[SECONDS, 1]] });
    expect(sink.described).toBe(1);
  });

  it.each<[string, unknown, string, number]>([
    ['null', null, 'must be an object', 1],
    ['no metric', { ...ENTRY_2, metric: undefined }, 'metric must be a text that is not empty', 2],
    ['points of another kind', { ...ENTRY_2, points: {} }, 'points must be a list', 1],
    ['a unit that is a number', { ...ENTRY_2, unit: 1 }, 'unit must be a text', 2],
    [
      'resources that are no list',
      { ...ENTRY_2, resources: { type: 'host', name: 'a' } },
      'resources must be a list of objects with the texts type and name',
      2,
    ],
    [
      'a resource that is null',
      { ...ENTRY_2, resources: [null] },
      'resources must be a list of objects with the texts type and name',
      2,
    ],
    [
      'a resource that is a number',
      { ...ENTRY_2, resources: [5] },
      'resources must be a list of objects with the texts type and name',
      2,
    ],
    [
      'a resource whose name is a number',
      { ...ENTRY_2, resources: [{ type: 'host', name: 1 }] },
      'resources must be a list of objects with the texts type and name',
      2,
    ],
    [
      'a type that is a text',
      { ...ENTRY_2, type: 'gauge' },
      'type must be 0, 1 (count), 2 (rate) or 3 (gauge)',
      2,
    ],
    ['an unknown type', { ...ENTRY_2, type: 4 }, 'type must be 0, 1 (count), 2 (rate) or 3 (gauge)', 2],
    ...[[SECONDS, 1], null, { timestamp: String(SECONDS), value: 1 }, { timestamp: SECONDS }].map(
      (point): [string, unknown, string, number] => [
        `a point like ${JSON.stringify(point)}`,
        { ...ENTRY_2, points: [point] },
        'points must be objects with a timestamp in seconds and a number as value',
        1,
      ],
    ),
  ])('with a series with %s refuses that alone', (_, entry, message, points) => {
    takeJson2(ENTRY_2, entry, ENTRY_2);
    expect(sink.points).toHaveLength(4);
    expect(sink.rejected).toEqual({ invalid_value: points });
    expect(sink.examples).toEqual([`series 2: ${message}`]);
  });

  it('leaves out null and numbers beyond the range of doubles', () => {
    const body = Buffer.from(
      `{"series":[{"metric":"a","points":[{"timestamp":${SECONDS},"value":null},{"timestamp":${SECONDS},"value":1e400}]}]}`,
    );
    expect(sink.take(decodeDatadogJson2, body).counts).toMatchObject({
      points: 0,
      omitted: { not_a_number: 1, infinite: 1 },
    });
  });

  it('lets others go first after at most a thousand points', () => {
    takeJson2({ ...ENTRY_2, points: Array.from({ length: 5_000 }, () => ENTRY_2.points[0]) });
    expect(sink.turns).toBeGreaterThanOrEqual(5);
  });

  it.each(['', '{', '[]', 'null', '{"series":{}}', '['.repeat(100_000)])('is malformed: %.20j', (body) => {
    expect(outcomeOf(decodeDatadogJson2, Buffer.from(body))).toBe('MalformedBodyError');
  });
});

describe("protobuf of Datadog's agent", () => {
  it('refuses a series of an unknown type, or without a metric, and takes the next one', () => {
    takeProtobuf(seriesOf(7), nested(1, point(1, SECONDS)), seriesOf(3));
    expect(sink.counts).toMatchObject({ points: 2, rejected: { unsupported_type: 2, invalid_name: 1 } });
  });

  it('leaves out values that are not finite', () => {
    takeProtobuf(
      nested(1, nested(2, 'a'), point(Number.NaN, SECONDS), point(Number.POSITIVE_INFINITY, SECONDS)),
    );
    expect(sink.counts).toMatchObject({ points: 0, omitted: { not_a_number: 1, infinite: 1 } });
  });

  it('lets others go first after at most a thousand points or series', () => {
    takeProtobuf(nested(1, nested(2, 'a'), ...Array.from({ length: 5_000 }, () => point(1, SECONDS))));
    expect(sink.turns).toBeGreaterThanOrEqual(5);
    takeProtobuf(...Array.from({ length: 5_000 }, () => nested(1, nested(2, 'a'))));
    expect(sink.turns).toBeGreaterThanOrEqual(4);
  });

  it.each<[string, Buffer]>([
    ['a series of a wrong wire type', number(1, 1)],
    ['a length beyond the body', Buffer.from([10, 5, 1])],
    ['a metric of a wrong wire type', nested(1, number(2, 1))],
    ['points of a wrong wire type', nested(1, number(4, 1))],
    ['a value of a wrong wire type', nested(1, nested(2, 'a'), nested(4, number(1, 1)))],
    ['invalid UTF-8', nested(1, nested(2, Buffer.from([0xff])))],
    ['a group', Buffer.from([11])],
  ])('is malformed with %s', (_, body) => {
    expect(outcomeOf(decodeDatadogProtobuf, body)).toBe('MalformedBodyError');
  });
});

describe('a body of /intake/', () => {
  const read = (body: unknown) => sink.take(decodeIntake, Buffer.from(JSON.stringify(body))).taggedHosts;

  it('gives the host and its tags of all sources', () => {
    const tags = { system: ['env:prod', 'role:web', 'urgent'], gcp: ['zone:b', 'role:api', 5], other: null };
    expect(read({ internalHostname: 'web-01', 'host-tags': tags, events: {} })).toEqual([
      {
        host: 'web-01',
        tags: new Map([
          ['env', 'prod'],
          ['role', 'api,web'],
          ['tag', 'urgent'],
          ['zone', 'b'],
        ]),
      },
    ]);
  });

  it.each([
    [null],
    [[]],
    [5],
    [{}],
    [{ internalHostname: 'a' }],
    [{ internalHostname: '', 'host-tags': {} }],
    [{ internalHostname: 'a', 'host-tags': 'x:y' }],
  ])('gives nothing where it does not name both: %j', (body) => {
    expect(read(body)).toEqual([]);
  });

  it('is malformed where it is no JSON', () => {
    expect(() => sink.take(decodeIntake, Buffer.from('{'))).toThrow(MalformedBodyError);
  });
});

describe('a body of distributions', () => {
  it('has its series counted as left out', () => {
    const sketch = nested(1, nested(1, 'latency'), nested(2, 'web-01'), nested(7, number(1, SECONDS)));
    const { omitted, points } = sink.take(decodeSketches, Buffer.concat([sketch, sketch, nested(2, 'x')]));
    expect([omitted, points]).toEqual([{ sketch: 2 }, []]);
  });

  it('is malformed where it is no protobuf', () => {
    expect(outcomeOf(decodeSketches, Buffer.from([10, 5, 1]))).toBe('MalformedBodyError');
  });
});
