import { describe, expect, it } from 'vitest';
import { check } from '../problems/validation.ts';
import { BOUNDS, ingestBodySchema, payloadSchema } from './sample.ts';

const FLAME = '\u{1f525}';
const json = (text: string): unknown => JSON.parse(text);
const numbered = (count: number, entry: (index: number) => unknown) =>
  Array.from({ length: count }, (_, index) => entry(index));
const named = (count: number, value: unknown) =>
  Object.fromEntries(numbered(count, (index) => [`n${index}`, value]) as [string, unknown][]);

function faultsOf(change: Record<string, unknown>): string[] {
  const result = check(payloadSchema, { host: 'h', metrics: { cpu_percent: 1 }, ...change }, 'body');
  return 'errors' in result ? result.errors.map(({ path, code }) => `${path} ${code}`) : [];
}

describe('payloadSchema takes', () => {
  it.each<[string, Record<string, unknown>]>([
    ['a heartbeat', { metrics: {} }],
    ['names of 200 characters beyond the basic plane', { metrics: { [FLAME.repeat(200)]: 1 } }],
    ['512 metrics', { metrics: named(512, 1) }],
    ['values at the edges of a double', { metrics: { a: 1.7976931348623157e308, b: -5e-324, c: 2 ** 60 } }],
    [
      'prototype names',
      {
        host: '__proto__',
        metrics: json('{"__proto__":1,"constructor":2}'),
        tags: json('{"__proto__":"x"}'),
      },
    ],
    ['64 tags', { tags: named(64, '') }],
    ['500 containers', { docker_containers: numbered(500, (index) => ({ name: `c${index}` })) }],
    ['1,000 processes', { processes: numbered(1_000, (pid) => ({ name: 'p', pid })) }],
    [
      '32 further numeric fields of a container',
      { docker_containers: [{ name: 'c', cpu_percent: 1, memory_usage: 2, ...named(32, 1) }] },
    ],
    ['unknown fields', { agent_version: '9', extra: { deep: [1, { x: null }] } }],
    ['unknown texts of a container', { docker_containers: [{ name: 'c', health: 'good', ports: [80] }] }],
    ['the first moment of 2000', { timestamp: '2000-01-01T00:00:00Z' }],
  ])('%s', (_name, change) => {
    expect(faultsOf(change)).toEqual([]);
  });
});

describe('payloadSchema refuses', () => {
  it.each<[string, Record<string, unknown>, string]>([
    ['an empty host', { host: '' }, '/host too_short'],
    ['a host of 256 characters', { host: FLAME.repeat(256) }, '/host too_long'],
    ['a host that is a number', { host: 5 }, '/host invalid_type'],
    ['a host with NUL', { host: 'a\0b' }, '/host nul_character'],
    ['a host with a lone surrogate', { host: 'a\ud800b' }, '/host lone_surrogate'],
    ['metrics that are null', { metrics: null }, '/metrics invalid_type'],
    ['metrics that are a list', { metrics: [1] }, '/metrics invalid_type'],
    ['513 metrics', { metrics: named(513, 'x') }, '/metrics too_many'],
    ['a value that is a text', { metrics: { cpu_percent: '5' } }, '/metrics/cpu_percent invalid_type'],
    ['a value that is true', { metrics: { cpu_percent: true } }, '/metrics/cpu_percent invalid_type'],
    [
      'a value beyond a double',
      { metrics: json('{"cpu_percent":1e400}') as object },
      '/metrics/cpu_percent not_finite',
    ],
    ['an empty name', { metrics: { '': 5 } }, '/metrics/ too_short'],
    [
      'a name of 201 characters',
      { metrics: { ['m'.repeat(201)]: 5 } },
      `/metrics/${'m'.repeat(201)} too_long`,
    ],
    ['a name with NUL', { metrics: { 'a\0b': 5 } }, '/metrics/a\0b nul_character'],
    ['a bad value under a name to escape', { metrics: { 'a/b~c': 'x' } }, '/metrics/a~1b~0c invalid_type'],
    [
      'a bad value under __proto__',
      { metrics: json('{"__proto__":"x"}') },
      '/metrics/__proto__ invalid_type',
    ],
    ['a time that is a word', { timestamp: 'yesterday' }, '/timestamp invalid_timestamp'],
    ['a time that is a number', { timestamp: 1_700_000_000 }, '/timestamp invalid_type'],
    ['a time that is null', { timestamp: null }, '/timestamp invalid_type'],
    ['a time before 2000', { timestamp: '1999-12-31T23:59:59.999Z' }, '/timestamp too_early'],
    ['65 tags', { tags: named(65, 'v') }, '/tags too_many'],
    ['a tag that is a number', { tags: { environment: 5 } }, '/tags/environment invalid_type'],
    ['a tag with NUL', { tags: { environment: 'a\0' } }, '/tags/environment nul_character'],
    ['containers that are an object', { docker_containers: {} }, '/docker_containers invalid_type'],
    [
      '501 containers',
      { docker_containers: numbered(501, () => ({ name: 'c' })) },
      '/docker_containers too_many',
    ],
    [
      'a container without a name',
      { docker_containers: [{ name: 'a' }, { image: 'x' }] },
      '/docker_containers/1/name required',
    ],
    [
      'containers of one name',
      { docker_containers: [{ name: 'POD' }, { name: 'api' }, { name: 'POD' }] },
      '/docker_containers/2/name duplicate',
    ],
    ['a container that is a text', { docker_containers: ['web'] }, '/docker_containers/0 invalid_type'],
    [
      'a bad number of a container',
      { docker_containers: [{ name: 'a', cpu_percent: '5' }] },
      '/docker_containers/0/cpu_percent invalid_type',
    ],
    [
      'a further number beyond a double',
      { docker_containers: [json('{"name":"a","restarts":1e400}')] },
      '/docker_containers/0/restarts not_finite',
    ],
    [
      '33 further numeric fields',
      { docker_containers: [{ name: 'a', ...named(33, 1) }] },
      '/docker_containers/0 too_many',
    ],
    ['a process without a pid', { processes: [{ name: 'init' }] }, '/processes/0/pid required'],
    ['half a pid', { processes: [{ name: 'init', pid: 1.5 }] }, '/processes/0/pid not_an_integer'],
    ['1,001 processes', { processes: numbered(1_001, (pid) => ({ name: 'p', pid })) }, '/processes too_many'],
  ])('%s', (_name, change, fault) => {
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
