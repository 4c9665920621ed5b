import { describe, expect, it } from 'vitest';
import { check } from '../problems/validation.ts';
import { ACCEPTED_FIELDS, REFUSED_FIELDS } from './payload-bounds.fixture.ts';
import { ingestBodySchema, payloadSchema } from './payload-schema.ts';
import { BOUNDS } from './sample.ts';

const numbered = (count: number, entry: (index: number) => unknown) =>
  Array.from({ length: count }, (_, index) => entry(index));

function faultsOf(change: Record<string, unknown>): string[] {
  const result = check(payloadSchema, { host: 'h', metrics: { cpu_percent: 1 }, ...change }, 'body');
  return 'errors' in result ? result.errors.map(({ path, code }) => `${path} ${code}`) : [];
}

describe('payloadSchema takes', () => {
  it.each(ACCEPTED_FIELDS)('%s', (_name, change) => {
    expect(faultsOf(change)).toEqual([]);
  });
});

describe('payloadSchema refuses', () => {
  it.each(REFUSED_FIELDS)('%s', (_name, change, fault) => {
    expect(faultsOf(change)).toEqual([fault]);
  });

  it('with every fault at once', () => {
    const bad = {
      host: '',
      timestamp: 'soon',
      metrics: { a: 'x', b: null },
      tags: { t: 1 },
      docker_containers: [{}],
      processes: [{ name: 'p' }],
    };
    expect(faultsOf(bad).map((fault) => fault.split(' ')[0])).toEqual([
      '/host',
      '/timestamp',
      '/metrics/a',
      '/metrics/b',
      '/tags/t',
      '/docker_containers/0/name',
      '/processes/0/pid',
    ]);
  });

  it('a payload without required fields, by their names', () => {
    const result = check(payloadSchema, {}, 'body');
    expect(result).toMatchObject({
      errors: [
        { path: '/host', code: 'required' },
        { path: '/metrics', code: 'required' },
      ],
    });
  });
});

it('a batch of 1 to 1,000 payloads is accepted, and no other', () => {
  const batch = (count: number) =>
    ingestBodySchema.safeParse(numbered(count, () => ({ host: 'h', metrics: {} }))).success;
  expect([0, 1, BOUNDS.payloads, BOUNDS.payloads + 1].map(batch)).toEqual([false, true, true, false]);
});
