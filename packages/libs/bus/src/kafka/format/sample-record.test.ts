import { MalformedBytesError } from '@tidewatch/contracts/bytes/byte-reader';
import { ByteWriter } from '@tidewatch/contracts/bytes/byte-writer';
import { type PartValues, shapeOf } from '@tidewatch/contracts/ingest/part-shape';
import { metricsOf, type SampleRecord } from '@tidewatch/contracts/ingest/sample';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CorruptRecordError, fingerprint, seal, unseal } from './envelope.ts';
import { createSampleFormat } from './sample-format.ts';
import { SamplePacker, unpackSamples } from './sample-record.ts';

const NOW = 1_795_000_000_000;

function pack(values: readonly SampleRecord[]): Buffer {
  const writer = new ByteWriter(16);
  const packer = new SamplePacker(writer);
  for (const value of values) packer.add(value);
  return Buffer.from(writer.bytes());
}

// Texts as ingest accepts them: without lone surrogates and NUL.
const text = fc
  .string({ unit: 'binary', minLength: 1, maxLength: 80 })
  .filter((t) => t.isWellFormed() && !t.includes('\0'));
const finite = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.integer({ min: -1e9, max: 1e9 }).map((n) => n / 100),
  fc.constantFrom(0, -0, 0.1, 1 / 3, Number.MAX_VALUE, Number.MIN_VALUE, 2 ** 53, -(2 ** 45), 2 ** 45 - 1),
);
/** Numbers without negative zero, which JSON does not have. */
const asJson = finite.map((value) => (value === 0 ? 0 : value));
const part = fc.record({
  kind: text,
  name: text,
  labels: fc.option(fc.dictionary(text, text, { noNullPrototype: true, maxKeys: 3 })),
  metrics: fc.dictionary(text, finite, { maxKeys: 4 }),
});
const parts = fc.array(part, { minLength: 1, maxLength: 4 }).map((list): PartValues => {
  const metrics = list.flatMap((each) => Object.keys(each.metrics));
  const ends = list.map((_, at) =>
    list.slice(0, at + 1).reduce((sum, each) => sum + Object.keys(each.metrics).length, 0),
  );
  const shape = shapeOf({
    kinds: list.map(({ kind }) => kind),
    names: list.map(({ name }) => name),
    labels: list.map(({ labels }) => labels),
    metrics,
    ends,
  });
  return { shape, values: list.flatMap((each) => Object.values(each.metrics)) };
});
const payload = fc
  .record(
    {
      host: text,
      time: fc.integer({ min: 946_684_800_000, max: NOW + 86_400_000 }),
      metrics: fc.dictionary(
        fc.oneof(text, fc.constantFrom('__proto__', 'constructor', 'cpu_percent')),
        finite,
      ),
      tags: fc.dictionary(text, text, { noNullPrototype: true }),
      containers: fc.array(fc.record({ name: text, cpu_percent: asJson }, { noNullPrototype: true })),
      processes: fc.array(fc.record({ name: text, pid: fc.nat() }, { noNullPrototype: true })),
      parts,
      processCounts: fc
        .array(fc.record({ name: text, count: fc.nat() }), { maxLength: 4 })
        .map((list) => ({ names: list.map(({ name }) => name), counts: list.map(({ count }) => count) })),
    },
    { requiredKeys: ['host', 'time', 'metrics'], noNullPrototype: true },
  )
  .map(({ metrics, ...more }) => ({ ...more, ...metricsOf(metrics) }));
const record = fc.oneof(
  fc.record({ kind: fc.constant('heartbeat' as const), at: fc.nat(NOW) }),
  fc.record(
    {
      kind: fc.constant('samples' as const),
      organizationId: text,
      receivedAt: fc.integer({ min: NOW - 1e9, max: NOW }),
      stalledMs: fc.double({ min: 0, max: 1e6, noNaN: true }),
      receiptId: text,
      payloads: fc.array(payload, { maxLength: 20 }),
    },
    {
      requiredKeys: ['kind', 'organizationId', 'receivedAt', 'stalledMs', 'payloads'],
      noNullPrototype: true,
    },
  ),
);

describe('samples packed into a Kafka record', () => {
  it('are unpacked to equal samples', () => {
    fc.assert(
      fc.property(fc.array(record, { maxLength: 5 }), (values) => {
        expect(unpackSamples(pack(values as SampleRecord[]))).toEqual(values);
      }),
    );
  });

  it('keep a metric that is named __proto__ as a metric, and a tag as a tag', () => {
    const metrics = JSON.parse('{"__proto__":1,"constructor":2}') as Record<string, number>;
    const tags = JSON.parse('{"__proto__":"a","constructor":"b"}') as Record<string, string>;
    const values: SampleRecord[] = [
      {
        kind: 'samples',
        organizationId: 'o',
        receivedAt: NOW,
        stalledMs: 0,
        payloads: [{ host: 'h', time: NOW, ...metricsOf(metrics), tags }],
      },
    ];
    const [batch] = unpackSamples(pack(values));
    expect(JSON.stringify(batch)).toBe(JSON.stringify(values[0]));
  });

  it('are small for the payloads of usual hosts', () => {
    const payloads = Array.from({ length: 100 }, (_, host) => ({
      host: `web-${host}`,
      time: NOW - 20,
      ...metricsOf(
        Object.fromEntries(
          Array.from({ length: 10 }, (_, m) => [`metric_${m}`, (host * 17 + m * 131) / 100]),
        ),
      ),
    }));
    const bytes = pack([
      { kind: 'samples', organizationId: 'org_1', receivedAt: NOW, stalledMs: 0, payloads },
    ]);
    expect(bytes.length).toBeLessThan(5_000);
  });

  it('are refused, and never misread, when bytes are missing', () => {
    const whole = pack([
      {
        kind: 'samples',
        organizationId: 'o',
        receivedAt: NOW,
        stalledMs: 0,
        payloads: [{ host: 'h', time: NOW, ...metricsOf({ a: 1.5, b: 1 / 3 }) }],
      },
    ]);
    for (let length = 1; length < whole.length; length += 1) {
      expect(() => unpackSamples(whole.subarray(0, length)), `${length} bytes`).toThrow(MalformedBytesError);
    }
  });

  it('never read past the end, whatever the bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          unpackSamples(Buffer.from(bytes));
        } catch (error) {
          expect(error instanceof MalformedBytesError || error instanceof SyntaxError).toBe(true);
        }
      }),
    );
  });
});

describe('an envelope', () => {
  it('returns the sealed contents unchanged', () => {
    expect(unseal(seal(Buffer.from('samples'))).toString()).toBe('samples');
  });

  it.each([
    ['nothing', null],
    ['too few bytes', Buffer.from([1, 0])],
    ['another version', Buffer.from([9, 0, 0, 0, 0, 1])],
    ['a version that is not there yet', seal(Buffer.from('s'), 3)],
    ['a changed byte', Buffer.concat([seal(Buffer.from('sample')), Buffer.from('s')])],
  ])('refuses %s', (_name, bytes) => {
    expect(() => unseal(bytes)).toThrow(CorruptRecordError);
  });

  it('has version 2 where a payload has parts or counts of processes, and version 1 for all others', () => {
    const sealedWith = (payload: object) => {
      const record = createSampleFormat(1_000_000).open();
      record.add({
        kind: 'samples',
        organizationId: 'o',
        receivedAt: NOW,
        stalledMs: 0,
        payloads: [{ host: 'a', time: NOW, metrics: [], values: [], ...payload }],
      });
      return record.finish();
    };
    const lists = { kinds: ['disk'], names: ['sda'], labels: [null], metrics: ['busy'], ends: [1] };
    const withParts = sealedWith({ parts: { shape: shapeOf(lists), values: [1] } });
    const counted = sealedWith({ processCounts: { names: ['sh'], counts: [2] } });
    expect(counted[0]).toBe(2);
    expect([sealedWith({})[0], sealedWith({ processes: [] })[0], withParts[0]]).toEqual([1, 1, 2]);
    expect(unpackSamples(unseal(withParts))).toMatchObject([{ payloads: [{ parts: { values: [1] } }] }]);
  });

  it('gives different records different fingerprints', () => {
    expect(fingerprint(seal(Buffer.from('a')))).not.toBe(fingerprint(seal(Buffer.from('b'))));
  });
});
