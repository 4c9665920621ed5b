import { ConfigError } from '@tidewatch/runtime/settings/config-error';
import { expect, test } from 'vitest';
import { readOptions } from './options.ts';

test('defaults', () => {
  expect(readOptions([])).toEqual({
    scenario: 'replay',
    topology: 'embedded',
    layout: null,
    seconds: 60,
    rate: null,
    rules: 100,
    hosts: 1_000,
    every: 60,
    keys: 10_000,
    connections: 32,
    jobs: ['hour', 'day', 'rules'],
    systems: ['tidewatch', 'victoria-metrics', 'prometheus', 'influxdb'],
    kills: 10,
    payloads: 2,
    instances: 100_000,
    partitions: 24,
    consumer: 'writer',
    readers: 1_000,
    json: null,
    help: false,
  });
});

test('readOptions reads all options of a replay', () => {
  const args = ['--seconds', '90', '--rate', '300000', '--rules', '1000', '--json', 'out.json'];
  expect(readOptions(args)).toMatchObject({
    seconds: 90,
    rate: 300_000,
    rules: 1_000,
    json: 'out.json',
  });
});

test('readOptions takes a layout of samples wherever a database keeps some', () => {
  expect(readOptions(['--layout', 'rows'])).toMatchObject({ layout: 'rows' });
  expect(readOptions(['--peers', '--layout', 'log'])).toMatchObject({ layout: 'log' });
  expect(() => readOptions(['--layout', 'columns'])).toThrow(
    '--layout must be one of rows, log, not columns',
  );
  expect(() => readOptions(['--scenario', 'flush', '--layout', 'log'])).toThrow('not for flush');
});

test('readOptions chooses jobs and systems of the comparison with peers, in their order', () => {
  expect(readOptions(['--peers'])).toMatchObject({ scenario: 'peers', hosts: 10_000, seconds: 120 });
  expect(
    readOptions(['--peers', '--jobs', 'rules,hour', '--systems', 'prometheus, tidewatch']),
  ).toMatchObject({
    jobs: ['hour', 'rules'],
    systems: ['tidewatch', 'prometheus'],
  });
});

test('readOptions has a higher number of hosts for a storm', () => {
  expect(readOptions(['--scenario', 'storm'])).toMatchObject({ hosts: 10_000 });
  expect(readOptions(['--scenario', 'storm', '--hosts', '5000'])).toMatchObject({ hosts: 5_000 });
});

test('readOptions limits the rounds of flush to a minute, and uses short ones by default', () => {
  expect(readOptions(['--scenario', 'flush'])).toMatchObject({ scenario: 'flush', seconds: 12 });
  expect(() => readOptions(['--scenario', 'flush', '--seconds', '61'])).toThrow('from 1 to 60');
  expect(readOptions(['--scenario', 'flush', '--partitions', '4'])).toMatchObject({ partitions: 4 });
  expect(() => readOptions(['--partitions', '4'])).toThrow('--partitions is only for flush, not for replay');
});

test('readOptions accepts each consumer for scaling', () => {
  expect(readOptions(['--scenario', 'scaling', '--consumer', 'evaluator'])).toMatchObject({
    topology: 'distributed',
    consumer: 'evaluator',
  });
});

test.each([
  [['--consumer', 'writer'], '--consumer is only for scaling, not for replay'],
  [
    ['--scenario', 'scaling', '--consumer', 'gateway'],
    '--consumer must be one of writer, evaluator, not gateway',
  ],
  [['--scenario', 'preview', '--hosts', '5000'], '--hosts must be a whole number from 10 to 1000'],
  [['--scenario', 'fast'], '--scenario must be one of'],
  [['--scenario', 'investigation', '--every', '15'], '--every must be a multiple of 10'],
  [['--seconds', '0'], '--seconds must be a whole number from 1 to 3600, not "0"'],
  [['--seconds', '1e3'], '--seconds must be a whole number'],
  [['--rate', '20'], '--rate must be a whole number from 1000'],
  [['--scenario', 'kill', '--kills', '-1'], "'--kills"],
  [['--rules', '15'], '--rules must be a multiple of 10'],
  [['--scenario', 'instances', '--instances', '1050'], '--instances must be a multiple of 100'],
  [['--scenario', 'live', '--rules', '100'], '--rules is only for'],
  [['--kills', '3'], '--kills is only for kill, not for replay'],
  [['--scenario', 'lists', '--seconds', '10'], '--seconds is only for'],
  [['--scenario', 'live', '--peers'], '--peers is a scenario of its own, not for live'],
  [['--jobs', 'day'], '--jobs is only for peers, not for replay'],
  [['--peers', '--jobs', 'week'], '--jobs must be one of hour, day, rules, not week'],
  [['--peers', '--seconds', '60'], '--seconds must be a whole number from 120'],
  [['--scenario', 'live', '--rate', '5000'], '--rate is only for'],
  [['--topology', 'spread'], '--topology must be one of embedded, distributed, not spread'],
  [['--scenario', 'kill', '--topology', 'distributed'], '--topology distributed is only for'],
  [['--scenario', 'scaling', '--topology', 'embedded'], '--topology embedded is only for'],
  [['--json', ''], '--json needs the name of a file'],
  [['--second', '3'], 'There is no option --second; did you mean --seconds?'],
  [['replay'], 'replay is no option.'],
])('%j is refused', (args, sentence) => {
  expect(() => readOptions(args)).toThrow(ConfigError);
  expect(() => readOptions(args)).toThrow(sentence);
});

test('readOptions accepts a rate and both topologies for delivery', () => {
  const args = ['--scenario', 'delivery', '--rate', '2000', '--topology', 'distributed'];
  expect(readOptions(args)).toMatchObject({ scenario: 'delivery', rate: 2_000, topology: 'distributed' });
});

test('readOptions accepts only the distributed topology for scaling', () => {
  expect(readOptions(['--scenario', 'scaling'])).toMatchObject({ topology: 'distributed', rate: null });
});

test('readOptions has a lower number of hosts for an investigation than for a preview', () => {
  expect(readOptions(['--scenario', 'investigation'])).toMatchObject({ hosts: 100 });
  expect(readOptions(['--scenario', 'preview'])).toMatchObject({ hosts: 1_000 });
  expect(readOptions(['--scenario', 'investigation', '--hosts', '20', '--every', '10'])).toMatchObject({
    hosts: 20,
    every: 10,
  });
});
