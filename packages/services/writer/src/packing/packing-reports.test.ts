import { createMetrics } from '@tidewatch/runtime/telemetry/metrics';
import { expect, it, onTestFinished } from 'vitest';
import { createWriterMeters } from '../writer-metrics.ts';
import { type PackingReport, type PackingReports, passReport, postReports } from './packing-reports.ts';

it('metrics and log lines pass between threads, errors with their name and code', async () => {
  const metrics = createMetrics();
  onTestFinished(() => metrics.close());
  const lines: unknown[] = [];
  const line =
    (level: string) =>
    (...args: unknown[]) =>
      lines.push([level, ...args]);
  const reports = {
    meters: createWriterMeters(metrics),
    logger: { info: line('info'), warn: line('warn'), error: line('error') },
  } as unknown as PackingReports;
  const { meters, logger } = postReports((report: PackingReport) =>
    passReport(structuredClone(report), reports),
  );
  meters.jobFailures.inc({ job: 'seal' }, 0);
  meters.jobFailures.inc({ job: 'seal' });
  meters.samplesSealed.inc(7);
  meters.unsealedBytes.set(12);
  const code = Object.assign(new RangeError('no room'), { code: '53100', query: () => 'not sent' });
  logger.warn({ err: new Error('the seal failed', { cause: code }), job: 'seal' }, 'failed');
  logger.info({ day: '2026-11-30' }, 'closed');
  logger.error({ err: 'a text' }, 'odd');

  const text = await metrics.text();
  expect(text).toContain('tidewatch_writer_job_failures_total{job="seal"} 1');
  expect(text).toContain('tidewatch_log_samples_sealed_total 7');
  expect(text).toContain('tidewatch_log_unsealed_bytes 12');
  const cause = { name: 'RangeError', type: 'RangeError', message: 'no room', code: '53100' };
  expect(lines).toEqual([
    [
      'warn',
      {
        job: 'seal',
        err: expect.objectContaining({ message: 'the seal failed', cause: expect.objectContaining(cause) }),
      },
      'failed',
    ],
    ['info', { day: '2026-11-30' }, 'closed'],
    ['error', { err: 'a text' }, 'odd'],
  ]);
});
