import { expect, it } from 'vitest';
import { nearMiss } from './near-miss.ts';

const NAMES = [
  'status',
  'severity',
  'host',
  'tag',
  'limit',
  'offset',
  'cursor',
  'metrics',
  'rule_id',
  'from',
  'to',
];

it.each([
  ['limt', 'limit'],
  ['Limit', 'limit'],
  ['pffset', 'offset'],
  ['offest', 'offset'],
  ['tags', 'tag'],
  ['metric', 'metrics'],
  ['ruleId', 'rule_id'],
  ['rule-id', 'rule_id'],
  ['hostname', 'host'],
  ['sverity', 'severity'],
])('%s is a near miss of %s', (name, meant) => {
  expect(nearMiss(name, NAMES)).toBe(meant);
});

it.each([
  ['eth0_bytes', 'eth1_bytes'],
  ['queue_12', 'queue_13'],
  ['queue', 'queue1'],
])('%s is another name than %s', (name, other) => {
  expect(nearMiss(name, [other])).toBeUndefined();
});

it.each(['page', '_', 'x', '', 'colour', 'a'.repeat(10_000)])(
  'nearMiss finds no candidate for %j',
  (name) => {
    expect(nearMiss(name, NAMES)).toBeUndefined();
  },
);
