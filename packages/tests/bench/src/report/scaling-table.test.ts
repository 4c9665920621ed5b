import { expect, test } from 'vitest';
import type { Scaled, ScalingResult } from './scaling-result.ts';
import { scalingTable } from './scaling-table.ts';

/** The result for a number of processes, with the cost of the consumer and of the generator. */
function scaled(processes: number, cpuPerMillion: number, generatorPerMillion: number): Scaled {
  const costs = { cpuPerMillion, generatorPerMillion };
  return {
    processes,
    sentPerSecond: 1_000_000,
    samplesPerSecond: 1_000_000,
    ...costs,
    rounds: [costs, costs],
  };
}

function tableOf(...counts: Scaled[]): string {
  const catching = { behind: 1_200, afterSeconds: 20, caughtUpSeconds: 11 };
  const result: ScalingResult = { consumer: 'writer', share: 0.25, scaled: counts, catching };
  return scalingTable(result);
}

test('the table compares each number of processes with one, with its rounds and the cost of the generator', () => {
  const table = tableOf(scaled(1, 0.15, 0.1), scaled(2, 0.16, 0.1), scaled(4, 0.19, 0.12));
  const four = table.split('\n').find((line) => line.startsWith('| 4 '));
  expect(four?.split('|').map((cell) => cell.trim())).toEqual([
    ...['', '4', '1,000,000', '1,000,000'],
    ...['0.190 (0.190, 0.190)', '0.120 (0.120, 0.120)', '127 %', ''],
  ]);
  expect(table).toContain('One was 1,200 records behind after 20 s; with two nothing was left after 11 s.');
});

test.each([
  [0.164, 'yes'],
  [0.167, 'NO'],
  [0.13, 'NO'],
])('beside one of 0.15 a cost of %d is within a tenth: %s', (cost, verdict) => {
  expect(tableOf(scaled(1, 0.15, 0.1), scaled(4, cost, 0.1))).toContain(
    `Cost within 10 % of one: ${verdict}.`,
  );
});
