import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { alertsQuerySchema } from '../alerts/alert.ts';
import { check } from '../problems/validation.ts';
import { rulesQuerySchema } from '../rules/rule.ts';
import { seriesQuerySchema } from '../services/series.ts';
import { servicesQuerySchema } from '../services/service.ts';

const LISTS = { services: servicesQuerySchema, alerts: alertsQuerySchema, rules: rulesQuerySchema };

function faults(schema: z.ZodType, query: Record<string, unknown>): string[] {
  const result = check(schema, query, 'query');
  return 'errors' in result ? result.errors.map((fault) => `${fault.path} ${fault.code}`) : [];
}

describe.each(Object.entries(LISTS))('the query of %s', (_name, schema) => {
  it.each<[Record<string, unknown>, Record<string, unknown>]>([
    [{}, { limit: 50 }],
    [{ limit: '1' }, { limit: 1 }],
    [
      { limit: '100', offset: '0' },
      { limit: 100, offset: 0 },
    ],
    [{ offset: '1000000' }, { offset: 1_000_000 }],
    [{ cursor: 'abc' }, { cursor: 'abc' }],
  ])('reads %j', (query, expected) => {
    expect(check(schema, query, 'query')).toMatchObject({ value: expected });
  });

  it.each<[Record<string, unknown>, string[]]>([
    [{ limit: '0' }, ['/limit out_of_range']],
    [{ limit: '101' }, ['/limit out_of_range']],
    [{ limit: '-1' }, ['/limit out_of_range']],
    [{ limit: '1.5' }, ['/limit not_an_integer']],
    [{ limit: 'x' }, ['/limit not_an_integer']],
    [{ limit: '' }, ['/limit not_an_integer']],
    [{ limit: '1e1' }, ['/limit not_an_integer']],
    [{ limit: ['1', '2'] }, ['/limit repeated']],
    [{ offset: '-1' }, ['/offset out_of_range']],
    [{ offset: '99999999999999999999' }, ['/offset not_an_integer']],
    [{ cursor: 'a', offset: '0' }, ['/cursor conflicting']],
    [
      { limit: '0', offset: '-1', cursor: 'a' },
      ['/limit out_of_range', '/offset out_of_range', '/cursor conflicting'],
    ],
  ])('refuses %j', (query, expected) => {
    expect(faults(schema, query)).toEqual(expected);
  });
});

it('the query of services splits tags at the first colon and takes several', () => {
  expect(check(servicesQuerySchema, { tag: 'region:a:b', q: '' }, 'query')).toEqual({
    value: { limit: 50, tag: [{ name: 'region', value: 'a:b' }], q: undefined },
  });
  expect(check(servicesQuerySchema, { tag: ['a:', 'b:c'] }, 'query')).toMatchObject({
    value: {
      tag: [
        { name: 'a', value: '' },
        { name: 'b', value: 'c' },
      ],
    },
  });
});

it.each<[Record<string, unknown>, string[]]>([
  [{ status: 'broken' }, ['/status invalid_value']],
  [{ tag: 'no-colon' }, ['/tag invalid_format']],
  [{ tag: [':x', 'a:b'] }, ['/tag invalid_format']],
  [{ tag: 'a:\0' }, ['/tag invalid_format']],
  [{ q: 'a\0' }, ['/q nul_character']],
  [{ group_by: '' }, ['/group_by too_short']],
])('the query of services refuses %j', (query, expected) => {
  expect(faults(servicesQuerySchema, query)).toEqual(expected);
});

it('the query of alerts reads its filters', () => {
  const query = {
    status: 'all',
    severity: 'info',
    host: 'h',
    acknowledged: 'false',
    from: '2026-01-01T00:00:00Z',
    to: '2026-01-01T00:00:01Z',
  };
  expect(check(alertsQuerySchema, query, 'query')).toEqual({
    value: {
      limit: 50,
      status: 'all',
      severity: 'info',
      host: 'h',
      acknowledged: false,
      from: 1_767_225_600_000,
      to: 1_767_225_601_000,
    },
  });
  expect(check(alertsQuerySchema, {}, 'query')).toEqual({ value: { limit: 50, status: 'active' } });
});

it.each<[Record<string, unknown>, string[]]>([
  [{ status: 'firing' }, ['/status invalid_value']],
  [{ severity: 'fatal' }, ['/severity invalid_value']],
  [{ acknowledged: '1' }, ['/acknowledged invalid_value']],
  [{ from: 'now' }, ['/from invalid_timestamp']],
  [{ from: '2026-01-02T00:00:00Z', to: '2026-01-01T00:00:00Z' }, ['/to out_of_range']],
  [{ rule_id: '\0' }, ['/rule_id nul_character']],
])('the query of alerts refuses %j', (query, expected) => {
  expect(faults(alertsQuerySchema, query)).toEqual(expected);
});

it('the query of series reads names, step and subject', () => {
  expect(
    check(seriesQuerySchema, { metrics: 'a,b,,a', step: '1m', subject: 'container:api' }, 'query'),
  ).toEqual({
    value: { metrics: ['a', 'b'], step: '1m', subject: { kind: 'container', name: 'api' } },
  });
  expect(check(seriesQuerySchema, { subject: 'host' }, 'query')).toEqual({ value: { subject: undefined } });
});

it.each<[Record<string, unknown>, string[]]>([
  [{ subject: 'container:' }, ['/subject invalid_format']],
  [{ subject: 'process:x' }, ['/subject invalid_format']],
  [{ metrics: 'm'.repeat(201) }, ['/metrics invalid_format']],
  [{ from: '2026-01-01' }, ['/from invalid_timestamp']],
])('the query of series refuses %j', (query, expected) => {
  expect(faults(seriesQuerySchema, query)).toEqual(expected);
});
