import { ACCEPTED_FIELDS, REFUSED_FIELDS } from '@tidewatch/contracts/ingest/payload-bounds.fixture';
import { payloadSchema } from '@tidewatch/contracts/ingest/payload-schema';
import { BOUNDS, metricsOf } from '@tidewatch/contracts/ingest/sample';
import { toFaults } from '@tidewatch/contracts/problems/validation';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FaultList } from '../fault-list.ts';
import { decodePayload } from './decode-payload.ts';
import { IgnoredFields } from './ignored-fields.ts';

const NOW = Date.UTC(2026, 10, 21, 12);

function decode(body: unknown) {
  const faults = new FaultList();
  const payload = decodePayload(body, NOW, '', faults, new IgnoredFields());
  return { payload, faults: faults.kept };
}

/** Parses as the wire does, so that `__proto__` is an own key and 1e400 a number. */
const parsed = (text: string) => decode(JSON.parse(text));

describe('decodePayload', () => {
  it('normalises a full payload', () => {
    const { payload, faults } = decode({
      host: 'web-01',
      timestamp: '2026-11-21T13:00:00.5+02:00',
      metrics: { cpu_percent: 1.5 },
      tags: { region: 'eu-1' },
      docker_containers: [
        { name: 'api', image: 'i:1', cpu_percent: 2, restarts: 3, labels: { a: 1 }, note: 'x' },
      ],
      processes: [{ name: 'node', pid: 7, cpu_percent: 1, user: 'root' }],
      unknown: [1],
    });
    expect(faults).toEqual([]);
    expect(payload).toEqual({
      host: 'web-01',
      time: Date.UTC(2026, 10, 21, 11, 0, 0, 500),
      ...metricsOf({ cpu_percent: 1.5 }),
      tags: { region: 'eu-1' },
      containers: [{ name: 'api', image: 'i:1', cpu_percent: 2, restarts: 3 }],
      processes: [{ name: 'node', pid: 7, cpu_percent: 1 }],
    });
  });

  it('takes counts of processes as lists, also of names that are members of every object', () => {
    const { payload } = parsed(
      '{"host":"a","metrics":{},"process_counts":{"nginx":5,"__proto__":1,"idle":0}}',
    );
    expect(payload?.processCounts).toEqual({ names: ['nginx', '__proto__', 'idle'], counts: [5, 1, 0] });
  });

  it('keeps the id and the health of a container, of which null says nothing', () => {
    const containers = [
      { name: 'api', id: '4f66', health: 'unhealthy' },
      { name: 'job', id: null, health: null },
    ];
    const { payload } = decode({ host: 'a', metrics: {}, docker_containers: containers });
    expect(payload?.containers).toEqual([{ name: 'api', id: '4f66', health: 'unhealthy' }, { name: 'job' }]);
  });

  it('takes the time of receipt where a payload has no timestamp', () => {
    expect(decode({ host: 'a', metrics: {} }).payload?.time).toBe(NOW);
  });

  it('takes numbers of parts as lists that payloads of one host share, and ignores other fields', () => {
    const parts = [
      {
        kind: 'filesystem',
        name: '/',
        labels: { type: 'ext4' },
        used_percent: 81,
        state: 'ok',
        used_bytes: 5,
      },
      { kind: 'unit', name: 'nginx.service', failed: 0 },
    ];
    const first = decode({ host: 'a', metrics: {}, parts }).payload?.parts;
    expect(first).toEqual({
      shape: {
        kinds: ['filesystem', 'unit'],
        names: ['/', 'nginx.service'],
        labels: [{ type: 'ext4' }, null],
        metrics: ['used_percent', 'used_bytes', 'failed'],
        ends: [2, 3],
        keys: ['filesystem:/\0used_percent', 'filesystem:/\0used_bytes', 'unit:nginx.service\0failed'],
      },
      values: [81, 5, 0],
    });
    const again = decode({ host: 'a', metrics: {}, parts: parts.map((part) => ({ ...part })) }).payload
      ?.parts;
    expect(again?.shape).toBe(first?.shape);
    const [, unit] = parts;
    const changed = decode({
      host: 'a',
      metrics: {},
      parts: [{ ...parts[0], labels: { type: 'xfs' } }, unit],
    });
    expect(changed.payload?.parts?.shape.labels).toEqual([{ type: 'xfs' }, null]);
  });

  it.each([
    ['{"host":"a","metrics":{},"timestamp":"2026-11-22T12:00:00.001Z"}', '/timestamp', 'too_late'],
    ['{"metrics":{}}', '/host', 'required'],
    ['{"host":"a"}', '/metrics', 'required'],
    ['[]', '', 'invalid_type'],
  ])('refuses %s at %s', (text, path, code) => {
    const { payload, faults } = parsed(text);
    expect(payload).toBeNull();
    expect(faults).toMatchObject([{ in: 'body', path, code }]);
  });

  it.each(ACCEPTED_FIELDS)('accepts %s', (_name, fields) => {
    expect(decode({ host: 'h', metrics: { cpu_percent: 1 }, ...fields }).faults).toEqual([]);
  });

  it.each(REFUSED_FIELDS)('refuses %s', (_name, fields, fault) => {
    const { payload, faults } = decode({ host: 'h', metrics: { cpu_percent: 1 }, ...fields });
    expect(payload).toBeNull();
    expect(faults.map(({ path, code }) => `${path} ${code}`)).toEqual([fault]);
  });

  it('keeps a metric that is called __proto__', () => {
    const { payload } = parsed('{"host":"a","metrics":{"__proto__":4}}');
    expect([payload?.metrics, payload?.values]).toEqual([['__proto__'], [4]]);
  });

  it('keeps processes of one name and of one pid', () => {
    const processes = [
      { name: 'node', pid: 1, cpu_percent: 1 },
      { name: 'node', pid: 1, cpu_percent: 2 },
      { name: 'node', pid: 2, cpu_percent: 3 },
    ];
    expect(decode({ host: 'a', metrics: {}, processes }).payload?.processes).toEqual(processes);
  });

  it('names all faults at once', () => {
    const { faults } = decode({
      host: '',
      timestamp: 'soon',
      metrics: { a: 'x', b: null },
      tags: { t: 1 },
      docker_containers: [{}],
      processes: [{ name: 'p' }],
    });
    expect(faults.map((fault) => fault.path)).toEqual([
      '/host',
      '/timestamp',
      '/metrics/a',
      '/metrics/b',
      '/tags/t',
      '/docker_containers/0/name',
      '/processes/0/pid',
    ]);
  });

  it('keeps at most a hundred faults', () => {
    const metrics = Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`m${index}`, null]));
    expect(decode({ host: 'a', metrics }).faults).toHaveLength(100);
  });
});

describe('decodePayload and payloadSchema', () => {
  const text = fc.oneof(
    { weight: 6, arbitrary: fc.string({ minLength: 1, maxLength: 12 }) },
    fc.string({ unit: 'binary', maxLength: 6 }),
    fc.constantFrom(
      '',
      '\0',
      '\ud800',
      'a\udc00',
      'constructor',
      'n'.repeat(200),
      'n'.repeat(201),
      'x'.repeat(256),
    ),
    fc.constantFrom('\u{1f600}'.repeat(200), '\u{1f600}'.repeat(256), 'i'.repeat(513), 's'.repeat(65)),
  );
  const number = fc.oneof(
    { weight: 6, arbitrary: fc.double({ noNaN: true, noDefaultInfinity: true }) },
    fc.constantFrom(
      0,
      -0,
      1.5,
      -1,
      2 ** 60,
      Number.MAX_VALUE,
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
    ),
  );
  const junk = fc.constantFrom<unknown>(null, true, 'x', 5, [], {}, [1], { a: 1 });
  const mostly = <T>(arbitrary: fc.Arbitrary<T>) => fc.oneof({ weight: 8, arbitrary }, junk);
  const map = (values: fc.Arbitrary<unknown>, max: number) =>
    fc.oneof(
      { weight: 8, arbitrary: fc.dictionary(text, mostly(values), { maxKeys: 5, noNullPrototype: true }) },
      fc
        .constantFrom(max, max + 1)
        .map((count) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 1]))),
    );
  const timestamp = fc.oneof(
    fc
      .date({ min: new Date('1999-12-30T00:00:00Z'), max: new Date(NOW), noInvalidDate: true })
      .map((date) => date.toISOString()),
    fc.constantFrom(
      '2026-01-01',
      '2026-02-30T00:00:00Z',
      '2026-01-01T00:00:00+05:30',
      '2026-01-01 00:00:00',
      'x',
      '',
    ),
  );
  const container = fc.oneof(
    fc.record(
      {
        name: mostly(fc.oneof(text, fc.constantFrom('one', 'two', ''))),
        image: mostly(text),
        status: mostly(text),
        id: mostly(text),
        health: mostly(fc.oneof(text, fc.constantFrom('healthy', 'unhealthy'))),
        cpu_percent: mostly(number),
        restarts: mostly(number),
      },
      { requiredKeys: [] },
    ),
    fc.constantFrom(32, 33).map((count) => ({
      name: 'c',
      cpu_percent: 1,
      ...Object.fromEntries(Array.from({ length: count }, (_, i) => [`f${i}`, i])),
    })),
  );
  const process = fc.record(
    {
      name: mostly(text),
      pid: mostly(fc.oneof(fc.nat(), number)),
      cpu_percent: mostly(number),
      memory_rss: mostly(number),
    },
    { requiredKeys: [] },
  );
  const part = fc.record(
    {
      kind: mostly(fc.oneof(text, fc.constantFrom('disk', 'unit', 'process', 'a.b'))),
      name: mostly(fc.oneof(text, fc.constantFrom('one', 'two'))),
      labels: mostly(map(text, 16)),
      used: mostly(number),
      free: mostly(number),
    },
    { requiredKeys: [] },
  );
  const body = fc.record(
    {
      host: mostly(text),
      timestamp: mostly(timestamp),
      metrics: mostly(map(number, BOUNDS.metrics)),
      tags: mostly(map(text, BOUNDS.tags)),
      docker_containers: mostly(fc.array(mostly(container), { maxLength: 3 })),
      processes: mostly(fc.array(mostly(process), { maxLength: 3 })),
      process_counts: mostly(map(fc.oneof(fc.nat(), number), BOUNDS.processCounts)),
      parts: mostly(fc.array(mostly(part), { maxLength: 3 })),
      extra: junk,
    },
    { requiredKeys: ['host', 'metrics'] },
  );

  it('accept the same payloads and name the same paths of faults', () => {
    fc.assert(
      fc.property(body, (value) => {
        const oracle = payloadSchema.safeParse(structuredClone(value));
        const expected = oracle.success ? [] : toFaults(oracle.error, 'body', value);
        const { payload, faults } = decode(structuredClone(value));
        expect(payload !== null).toBe(oracle.success);
        expect(faults.map(({ path }) => path).sort()).toEqual(expected.map(({ path }) => path).sort());
      }),
      { numRuns: 1_500 },
    );
  });
});
