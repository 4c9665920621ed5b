import type { Payload } from '@tidewatch/contracts/ingest/sample';
import { parseTimestamp, toIso } from '@tidewatch/contracts/time/time';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import type { BodyForm } from './body-form.ts';
import { parseBody } from './parse-body.ts';
import { BodyScanner } from './scan-body.ts';

const NOW = Date.UTC(2026, 10, 21, 14, 36, 28);

let scanner: BodyScanner;
beforeEach(() => {
  scanner = new BodyScanner();
});

const scan = (text: string | Buffer, form: BodyForm = 'json') =>
  scanner.scan(Buffer.from(text as string), form, NOW)?.payloads ?? null;

/** Payloads with metrics as objects, so that tests ignore the order of names. */
function plain({ metrics, values, parts, ...rest }: Payload) {
  const { kinds, names, labels, keys } = parts?.shape ?? {};
  return {
    ...rest,
    values: new Map(metrics.map((metric, index) => [metric, values[index]])),
    subjects: { kinds, names, labels },
    numbers: new Map(keys?.map((key, index) => [key, parts?.values[index]])),
  };
}

/** Expects that scanning returns the same payloads as parsing, without a fault. */
function expectSame(bytes: Buffer, form: BodyForm): Payload[] | null {
  const scanned = scanner.scan(bytes, form, NOW);
  if (scanned === null) return null;
  const parsed = parseBody(bytes, form, NOW);
  expect(parsed).toMatchObject({ refused: false, rejected: 0, faultCount: 0, warnings: [] });
  expect(scanned.payloads.map(plain)).toEqual(parsed.payloads.map(plain));
  expect(scanned.isList).toBe(parsed.at[0] !== '');
  return scanned.payloads;
}

const name = fc.oneof(
  fc.constantFrom('cpu_percent', 'memory_percent', 'disk_percent', 'load1', 'a', '__proto__', '1', '0'),
  fc.string({ unit: fc.constantFrom(...'abcxyz019_. /~-'), minLength: 1, maxLength: 40 }),
);
const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.integer({ min: 0, max: 10_000 }).map((hundredths) => hundredths / 100),
  fc.constantFrom(0, -0, 1e21, 5e-324, 1.7976931348623157e308, 0.1, 123_456_789_012_345_680),
);
const part = fc
  .tuple(
    fc.dictionary(name, number, { maxKeys: 6 }),
    fc.record(
      {
        kind: fc.constantFrom('disk', 'filesystem', 'unit'),
        name,
        labels: fc.dictionary(name, fc.string({ unit: 'grapheme-ascii', maxLength: 8 }), { maxKeys: 3 }),
      },
      { requiredKeys: ['kind', 'name'] },
    ),
    fc.boolean(),
  )
  .map(([numbers, texts, isFirst]) =>
    isFirst ? { ...texts, ...numbers, ...texts } : { ...numbers, ...texts },
  );
const parts = fc.uniqueArray(part, {
  minLength: 1,
  maxLength: 3,
  selector: (one) => `${one.kind}:${one.name}`,
});
const container = fc.record(
  {
    name,
    image: name,
    status: fc.constantFrom('running', 'exited'),
    cpu_percent: number,
    restart_count: number,
  },
  { requiredKeys: ['name'] },
);
const process = fc.record({ name, pid: fc.nat(), cpu_percent: number }, { requiredKeys: ['name', 'pid'] });
const payload = fc
  .record(
    {
      host: name,
      timestamp: fc.integer({ min: Date.UTC(2000, 0, 1), max: NOW + 86_400_000 }).map(toIso),
      metrics: fc.dictionary(name, number, { maxKeys: 30 }),
      tags: fc.dictionary(name, fc.string({ unit: 'grapheme-ascii', maxLength: 20 }), { maxKeys: 5 }),
      docker_containers: fc.uniqueArray(container, { maxLength: 2, selector: (one) => one.name }),
      processes: fc.array(process, { maxLength: 2 }),
      process_counts: fc.dictionary(name, fc.nat(), { maxKeys: 3 }),
      parts,
    },
    { requiredKeys: ['host', 'metrics'] },
  )
  // Writes some zeros as `-0`, which JSON.stringify never does.
  .map((one) => JSON.stringify(one).replaceAll(':0,', ':-0,'));
const body = fc.oneof(
  payload.map((text) => ({ form: 'json' as BodyForm, text })),
  fc
    .array(payload, { minLength: 1, maxLength: 5 })
    .map((texts) => ({ form: 'json' as BodyForm, text: `[${texts.join(',')}]` })),
  fc
    .array(payload, { minLength: 1, maxLength: 5 })
    .map((texts) => ({ form: 'ndjson' as BodyForm, text: texts.join('\n') })),
);
const spaces = fc.constantFrom('', ' ', '  ', '\t', '\r');

describe('scanning a body', () => {
  it('returns the same payloads as parsing for valid bodies', () => {
    let found = 0;
    fc.assert(
      fc.property(body, spaces, ({ form, text }, space) => {
        const spaced = text.replaceAll(/([{}[\]]|(?<="):|,(?="))/g, `${space}$1${space}`);
        found += expectSame(Buffer.from(text), form) === null ? 0 : 1;
        expectSame(Buffer.from(spaced), form);
      }),
      { numRuns: 1_000 },
    );
    expect(found).toBeGreaterThan(300);
  });

  it('reads parts that a host sends again with other numbers, spaces or members as parsing does', () => {
    const host = fc.constantFrom('a', 'b');
    const again = fc.tuple(
      host,
      fc.array(part, { maxLength: 3 }),
      fc.array(number, { minLength: 1 }),
      spaces,
    );
    let found = 0;
    fc.assert(
      fc.property(fc.array(again, { minLength: 1, maxLength: 3 }), (sent) => {
        for (const [name, parts, numbers, space] of sent) {
          const text = (numeral: string) =>
            `{"host":"${name}","metrics":{},"parts":${JSON.stringify(parts).replaceAll(/(?<=":)-?\d[^,}]*/g, numeral)}}`;
          for (const value of numbers)
            found += expectSame(Buffer.from(text(JSON.stringify(value))), 'json') === null ? 0 : 1;
          expectSame(Buffer.from(text(`${space}1${space}`)), 'json');
          for (const wrong of ['01', '', '1e', 'null', '"1"', '1e400', '1}', '1,'])
            expectSame(Buffer.from(text(wrong)), 'json');
        }
      }),
      { numRuns: 500 },
    );
    expect(found).toBeGreaterThan(500);
  });

  it('gives payloads of a host with the same parts one shape, and reads others of that host', () => {
    const bodyOf = (device: string, used: number) =>
      `{"host":"a","metrics":{},"parts":[{"kind":"disk","name":"${device}","labels":{"bus":"nvme"},"used":${used},"free":2.5}]}`;
    const [first, second, other] = [bodyOf('sda', 1), bodyOf('sda', 12.25), bodyOf('sdb', 3)].map(
      (text) => scan(text)?.[0]?.parts,
    );
    expect(second?.shape).toBe(first?.shape);
    expect([first?.values, second?.values]).toEqual([
      [1, 2.5],
      [12.25, 2.5],
    ]);
    expect(other?.shape).toMatchObject({ names: ['sdb'], labels: [{ bus: 'nvme' }], ends: [2] });
  });

  it('reads containers, processes and counts without parsing the metrics and parts beside them', () => {
    const fields = {
      docker_containers: [{ name: 'api', image: 'shop:1', cpu_percent: 2 }],
      processes: [{ name: 'node', pid: 7, memory_rss: 5 }],
      process_counts: { node: 3 },
    };
    expect(scan(JSON.stringify({ host: 'a', metrics: {}, ...fields }))).toEqual([
      {
        host: 'a',
        time: NOW,
        metrics: [],
        values: [],
        containers: fields.docker_containers,
        processes: fields.processes,
        processCounts: { names: ['node'], counts: [3] },
      },
    ]);
  });

  it('accepts the maximum of parts and of their numbers, and leaves more to the parser', () => {
    const parts = (count: number, numbers: number) =>
      `{"host":"a","metrics":{},"parts":[${Array.from(
        { length: count },
        (_, index) =>
          `{"kind":"k","name":"${index}"${Array.from({ length: numbers }, (_, metric) => `,"m${metric}":1`).join('')}}`,
      ).join()}]}`;
    expect(scan(parts(256, 7))?.[0]?.parts?.values).toHaveLength(1_792);
    expect(scan(parts(257, 1))).toBeNull();
    expect(scan(parts(31, 64))?.[0]?.parts?.values).toHaveLength(1_984);
    expect(scan(parts(32, 64))).toBeNull();
    expect(scan(parts(1, 512))?.[0]?.parts?.values).toHaveLength(512);
    expect(scan(parts(1, 513))).toBeNull();
  });

  it('accepts no damaged body that parsing would refuse', () => {
    const damage = fc.record({
      at: fc.nat(),
      remove: fc.nat({ max: 3 }),
      insert: fc.uint8Array({ maxLength: 3 }),
    });
    const syntax = fc.constantFrom(...'{}[]",:.-+eE0123456789 \\\n\t').map((text) => Buffer.from(text));
    fc.assert(
      fc.property(
        body,
        fc.array(fc.tuple(damage, fc.option(syntax)), { minLength: 1, maxLength: 3 }),
        (one, damages) => {
          let bytes = Buffer.from(one.text);
          for (const [{ at, remove, insert }, written] of damages) {
            const place = at % bytes.length;
            bytes = Buffer.concat([
              bytes.subarray(0, place),
              written ?? insert,
              bytes.subarray(place + remove),
            ]);
            if (bytes.length === 0) return;
          }
          expectSame(bytes, one.form);
        },
      ),
      { numRuns: 5_000 },
    );
  });

  it('reads the bodies that agents send without parsing', () => {
    const text = JSON.stringify([
      { host: 'web-01', timestamp: '2026-11-21T14:36:28.000Z', metrics: { cpu_percent: 12.5, load1: 3 } },
      { host: 'web-02', metrics: {}, tags: { environment: 'production', region: '' } },
    ]);
    expect(scan(text)).toEqual([
      { host: 'web-01', time: NOW, metrics: ['cpu_percent', 'load1'], values: [12.5, 3] },
      { host: 'web-02', time: NOW, metrics: [], values: [], tags: { environment: 'production', region: '' } },
    ]);
  });

  it('gives payloads with the same metric names one shared list of names', () => {
    const [first, second] =
      scan('[{"host":"a","metrics":{"x":1,"y":2}},{"host":"b","metrics":{"x":3,"y":4}}]') ?? [];
    expect(second?.metrics).toBe(first?.metrics);
    expect(scan('{"host":"c","metrics":{ "x" : 5 , "y" : 6 }}')?.[0]?.metrics).toBe(first?.metrics);
    expect(scan('{"host":"c","metrics":{"x":5}}')?.[0]?.metrics).toEqual(['x']);
  });

  it.each([
    '0',
    '-0',
    '7',
    '-7',
    '10',
    '0.5',
    '-0.25',
    '1e5',
    '1E+5',
    '25e-1',
    '1.5e3',
    '123456789012345',
    '1234567890123456',
    '12345678901234567890',
    '0.1',
    '0.30000000000000004',
    '0.000000000000001',
    '9007199254740993',
    '1.7976931348623157e308',
    '5e-324',
    '1e-400',
    '99999.99999999999999999',
  ])('reads the number %s as JSON does', (text) => {
    expect(scan(`{"host":"a","metrics":{"x":${text}}}`)?.[0]?.values).toEqual([JSON.parse(text)]);
  });

  it.each([
    '01',
    '-',
    '1.',
    '.5',
    '+1',
    '1e',
    '1e+',
    '00',
    '1.e1',
    '0x1',
    '1e400',
    '-1e400',
    'NaN',
    '1 2',
    '""',
    'null',
  ])('leaves a body with the number %s to the parser, which names the fault', (text) => {
    expect(scan(`{"host":"a","metrics":{"x":${text}}}`)).toBeNull();
    expect(parseBody(Buffer.from(`{"host":"a","metrics":{"x":${text}}}`), 'json', NOW).payloads).toEqual([]);
  });

  it.each([
    '2026-11-21T14:36:28Z',
    '2026-11-21T14:36:28.5Z',
    '2026-11-21T14:36:28.125Z',
    '2026-11-21T14:36:59.999Z',
    '2026-11-21T14:36:28',
    '2026-11-21t14:36:28z',
    '2026-11-21 14:36:28',
    '2026-11-21T16:36:28+02:00',
    '2026-11-21T14:36:28.123456789Z',
    '2026-11-21T14:35:00.000Z',
    '2000-01-01T00:00:00.000Z',
  ])('reads the time %s, also after another time of the same minute', (text) => {
    const payloadOf = (timestamp: string) => `{"host":"a","timestamp":"${timestamp}","metrics":{}}`;
    const first = `${text.slice(0, 16).replace('t', 'T').replace(' ', 'T')}:01.001Z`;
    const both = scan(`[${payloadOf(first)},${payloadOf(text)}]`);
    expect(both?.map(({ time }) => time)).toEqual([parseTimestamp(first), parseTimestamp(text)]);
  });

  it.each([
    '2026-11-21T14:36:60Z',
    '2026-11-21T14:36:2aZ',
    '2026-11-21T14:36:28.12aZ',
    '2026-11-21T14:36:28.12Z5',
    '2026-11-21T14:36',
    '2026-11-31T14:36:28Z',
    '1999-12-31T23:59:59.999Z',
    '2026-11-22T14:36:28.001Z',
    '',
  ])('leaves a body with the time %s to the parser, which names the fault', (text) => {
    const first = '{"host":"a","timestamp":"2026-11-21T14:36:01Z","metrics":{}}';
    const second = `{"host":"a","timestamp":"${text}","metrics":{}}`;
    expect(scan(`[${first},${second}]`)).toBeNull();
    expect(parseBody(Buffer.from(second), 'json', NOW).faultCount).toBe(1);
  });

  it.each([
    ['a member that it does not know', '{"host":"a","metrics":{},"colour":5}'],
    [
      'an ignored field of a process',
      '{"host":"a","metrics":{},"processes":[{"name":"p","pid":1,"user":"root"}]}',
    ],
    [
      'a text among the numbers of a part',
      '{"host":"a","metrics":{},"parts":[{"kind":"a","name":"b","c":"d"}]}',
    ],
    ['parts before the host', '{"parts":[{"kind":"a","name":"b"}],"host":"a","metrics":{}}'],
    ['no parts in a list of them', '{"host":"a","metrics":{},"parts":[]}'],
    ['an escape', '{"host":"\\u0061","metrics":{}}'],
    ['a letter beyond ASCII', '{"host":"ä","metrics":{}}'],
    ['a tag that is a name of every object', '{"host":"a","metrics":{},"tags":{"__proto__":"x"}}'],
    ['a byte order mark', '\ufeff{"host":"a","metrics":{}}'],
  ])('leaves a body with %s to be parsed', (_, text) => {
    expect(scan(text)).toBeNull();
    expect(parseBody(Buffer.from(text), 'json', NOW)).toMatchObject({ faultCount: 0, rejected: 0 });
  });

  it.each([
    ['a member named twice', '{"host":"a","host":"b","metrics":{}}'],
    ['a metric named twice', '{"host":"a","metrics":{"x":1,"x":2}}'],
    [
      'a container with a member named twice',
      '{"host":"a","metrics":{},"docker_containers":[{"name":"x","name":"x"}]}',
    ],
    [
      'parts named twice',
      '{"host":"a","metrics":{},"parts":[{"kind":"a","name":"b"}],"parts":[{"kind":"a","name":"b"}]}',
    ],
    [
      'a number of a part named twice',
      '{"host":"a","metrics":{},"parts":[{"kind":"a","name":"b","c":1,"c":1}]}',
    ],
    [
      'a part named twice',
      '{"host":"a","metrics":{},"parts":[{"kind":"a","name":"b"},{"kind":"a","name":"b"}]}',
    ],
    ['a part of a kind that is none', '{"host":"a","metrics":{},"parts":[{"kind":"process","name":"b"}]}'],
    ['a part without a name', '{"host":"a","metrics":{},"parts":[{"kind":"a","c":1}]}'],
    ['a tag named twice', '{"host":"a","metrics":{},"tags":{"x":"1","x":"2"}}'],
  ])('leaves a body with %s to be refused', (_, text) => {
    expect(scan(text)).toBeNull();
    expect(parseBody(Buffer.from(text), 'json', NOW)).toMatchObject({ faultCount: 1, rejected: 1 });
  });

  it('reads NDJSON and skips empty lines', () => {
    const line = '{"host":"a","metrics":{"x":1}}';
    expect(scan(`\n${line}\r\n  \n${line}`, 'ndjson')).toHaveLength(2);
    expect(scan(`${line} ${line}`, 'ndjson')).toBeNull();
    expect(scan(line.replace(':{', ':\n{'), 'ndjson')).toBeNull();
    expect(scan('\n \n', 'ndjson')).toBeNull();
  });

  it('accepts the maximum of payloads, metrics and tags of a body, and leaves more to the parser', () => {
    const payloads = (count: number) => `[${Array(count).fill('{"host":"a","metrics":{}}').join()}]`;
    const metrics = (count: number) =>
      `{"host":"a","metrics":{${Array.from({ length: count }, (_, index) => `"m${index}":1`).join()}}}`;
    const tags = (count: number) =>
      `{"host":"a","metrics":{},"tags":{${Array.from({ length: count }, (_, index) => `"t${index}":"x"`).join()}}}`;
    expect(scan(payloads(1_000))).toHaveLength(1_000);
    expect(scan(payloads(1_001))).toBeNull();
    expect(scan(metrics(512))?.[0]?.values).toHaveLength(512);
    expect(scan(metrics(513))).toBeNull();
    expect(scan(tags(64))).not.toBeNull();
    expect(scan(tags(65))).toBeNull();
    expect(scan('[]')).toBeNull();
    expect(scan('')).toBeNull();
  });

  it('reads metric names that are not cached, and finds a duplicate among them', () => {
    const bodyOf = (round: number, more = '') =>
      `{"host":"a","metrics":{${Array.from({ length: 400 }, (_, index) => `"r${round}_${index}":${index}`).join()}${more}}}`;
    for (let round = 0; round < 60; round += 1)
      expectSame(
        Buffer.from(`[${[round, 100 + round, 200 + round].map((each) => bodyOf(each)).join()}]`),
        'json',
      );
    const payloads = scan(bodyOf(300));
    expect(payloads?.[0]?.metrics).toHaveLength(400);
    expect(payloads?.[0]?.metrics[399]).toBe('r300_399');
    expect(scan(bodyOf(301, ',"r301_7":1'))).toBeNull();
    expect(scan('{"host":"a","metrics":{"x":1,"y":2}}')?.[0]?.metrics).toEqual(['x', 'y']);
  });
});
