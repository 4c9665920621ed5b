import { readMetrics } from '@tidewatch/api-client/prometheus-text';
import { createSilentLogger } from '@tidewatch/runtime/telemetry/logger';
import { expect, test } from 'vitest';
import type { Collector } from '../reading.ts';
import type { MetricsSource } from './metrics-source.ts';
import { createWatchingCollector } from './watching-collector.ts';

const collector: Collector = {
  read: async () => ({ time: 1, metrics: { cpu_percent: 5 }, processes: [], containers: undefined }),
};

const watching = (sources: readonly MetricsSource[]) =>
  createWatchingCollector({
    collector,
    sources,
    logger: createSilentLogger(),
    clock: () => 1_000,
    monotonic: () => 1_000,
  });

const shows = (page: string): MetricsSource => ({ name: 'one', read: async () => readMetrics(page) });
const fails: MetricsSource = { name: 'two', read: () => Promise.reject(new Error('away')) };

test('adds the metrics of the installation to those of the host', async () => {
  const { metrics, ...rest } = await watching([shows('tidewatch_writer_lag_seconds 1.23456'), fails]).read();
  expect(metrics).toEqual({ cpu_percent: 5, tidewatch_lag_seconds: 1.23, tidewatch_processes_away: 1 });
  expect(rest).toEqual({ time: 1, processes: [], containers: undefined });
});

test('reports the host when no watched process answers', async () => {
  const { metrics } = await watching([fails, { ...fails }]).read();
  expect(metrics).toEqual({ cpu_percent: 5, tidewatch_processes_away: 2 });
});

test('leaves out a metric of the installation that is not finite', async () => {
  const { metrics } = await watching([shows('tidewatch_writer_lag_seconds 1e308')]).read();
  expect(metrics).toEqual({ cpu_percent: 5, tidewatch_processes_away: 0 });
});

test('adds nothing when no process is watched', async () => {
  expect((await watching([]).read()).metrics).toEqual({ cpu_percent: 5 });
});
