import { expect, test } from 'vitest';
import { PEER_SYSTEMS } from '../bench-options.ts';
import type { PacedFigures } from './jobs/paced.ts';
import type { StoredFigures } from './jobs/stored.ts';
import { influxdb } from './systems/influxdb.ts';
import { prometheus } from './systems/prometheus.ts';
import { tidewatch } from './systems/tidewatch.ts';
import { COMPARED_SYSTEMS } from './systems.ts';
import { pacedTable, storedTables } from './tables.ts';

const stored: StoredFigures = {
  version: '1.2.3',
  samples: 2_000_000,
  sendSeconds: 4,
  cpuSeconds: 1.25,
  dataBytes: 2.5,
  withLogBytes: 3.5,
  peakBytes: 104_857_600,
  reads: [{ name: 'a day', requests: 50, latency: { p50: 1, p99: 2, max: 3 }, cpuSeconds: 0.004 }],
  differences: [],
};
const paced: PacedFigures = {
  version: '1.2.3',
  samples: 1_200_000,
  cpuSeconds: 3,
  peakBytes: 104_857_600,
  lagMs: 12,
  evaluations: { done: 1_200, missed: 0 },
  firing: 422,
  differences: [],
};

/** The cells of a table's row that begins with this text. */
function cellsOf(text: string, begin: string): string[] {
  const row = text.split('\n').find((line) => line.startsWith(`| ${begin}`)) ?? '';
  return row
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

test('storedTables has a row for each system, and one for each question that it answered', () => {
  const text = storedTables([
    { system: prometheus, figures: stored },
    { system: influxdb, figures: null, absent: 'influxd is not installed' },
  ]);
  expect(cellsOf(text, 'Prometheus (1.2.3)')).toEqual([
    'Prometheus (1.2.3)',
    '2,000,000',
    '1.25',
    '500,000',
    '2.50',
    '3.50',
    '100',
    'written to its log without fsync',
  ]);
  expect(cellsOf(text, 'Prometheus ').length).toBe(8);
  expect(cellsOf(text, 'InfluxDB')[1]).toBe('influxd is not installed');
  expect(text).toContain('| a day ');
  expect(text).toContain('1.0 / 2.0 / 3.0');
  expect(text).not.toContain('VOID');
});

test('storedTables marks figures as void, with the reason', () => {
  const figures = { ...stored, differences: ['cpu_percent: 1 of 2 samples'] };
  const text = storedTables([{ system: tidewatch, figures }]);
  expect(cellsOf(text, 'Tidewatch (1.2.3)')[1]).toBe('VOID');
  expect(cellsOf(text, 'VOID: Tidewatch')[1]).toBe('a day');
  expect(text).toContain('VOID, Tidewatch: cpu_percent: 1 of 2 samples');
});

test('pacedTable shows evaluations where a system counts them', () => {
  const text = pacedTable([
    { rules: 100, result: { system: prometheus, figures: paced } },
    { rules: 100, result: { system: tidewatch, figures: { ...paced, evaluations: null } } },
    { rules: 100, result: { system: influxdb, figures: null, absent: 'evaluates no rules by itself' } },
  ]);
  expect(cellsOf(text, 'Prometheus')[4]).toBe('1,200');
  expect(cellsOf(text, 'Tidewatch')[4]).toBe('of each sample');
  expect(cellsOf(text, 'InfluxDB')).toContain('evaluates no rules by itself');
});

test('the option --systems names every system, in the order of the tables', () => {
  expect(COMPARED_SYSTEMS.map(({ id }) => id)).toEqual([...PEER_SYSTEMS]);
});
