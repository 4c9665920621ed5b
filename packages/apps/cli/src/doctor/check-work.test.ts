import { readMetrics } from '@tidewatch/api-client/prometheus-text';
import { describe, expect, it } from 'vitest';
import { checkChannels, checkHosts, checkLag, type Host } from './check-work.ts';

const host = (
  name: string,
  code?: Host['status_reasons'][number]['code'],
  status: Host['status'] = 'degraded',
): Host => ({
  last_seen: '2026-11-22T08:00:00.000Z',
  name,
  metrics: { cpu_percent: 1, memory_percent: null, disk_percent: null },
  status: code === undefined ? 'healthy' : status,
  status_reasons: code === undefined ? [] : [{ code, message: '', alert_id: null }],
});

const NOW = Date.parse('2026-11-22T08:01:00.000Z');

const PAGE = `# HELP tidewatch_consumer_lag_records Records
tidewatch_consumer_lag_records{consumer="writer"} 20000
tidewatch_consumer_lag_records{consumer="evaluator"} 5
tidewatch_writer_lag_seconds 0.2
tidewatch_notifications_oldest_seconds 700
tidewatch_nothing NaN
broken line here
`;

it('readMetrics parses a page of metrics and skips values that are not numbers', () => {
  expect(readMetrics(PAGE)).toEqual([
    { name: 'tidewatch_consumer_lag_records', labels: 'consumer="writer"', value: 20_000 },
    { name: 'tidewatch_consumer_lag_records', labels: 'consumer="evaluator"', value: 5 },
    { name: 'tidewatch_writer_lag_seconds', labels: '', value: 0.2 },
    { name: 'tidewatch_notifications_oldest_seconds', labels: '', value: 700 },
  ]);
});

describe('checkHosts', () => {
  it('names at most five silent hosts, and hosts with clock skew', () => {
    const silent = Array.from({ length: 7 }, (_, index) => host(`db-${index}`, 'silent', 'offline'));
    expect(checkHosts([host('a'), host('b', 'clock_skew'), ...silent], true, NOW)).toMatchObject([
      { status: 'warning', summary: '7 hosts silent: db-0, db-1, db-2, db-3, db-4 and 2 more' },
      { status: 'warning', summary: '1 host with clock skew: b' },
    ]);
  });

  it('names a host as silent that was last seen 5 minutes ago, regardless of its status', () => {
    const later = NOW + 6 * 60_000;
    const muted = host('b', 'silenced', 'maintenance');
    expect(checkHosts([host('a'), muted], true, later)).toMatchObject([{ summary: '2 hosts silent: a, b' }]);
    expect(checkHosts([host('c', 'silent', 'maintenance')], true, NOW)).toMatchObject([
      { status: 'warning' },
    ]);
  });

  it('names hosts whose agents send nothing of the host itself, and those that are named after the local machine', () => {
    const metrics = { cpu_percent: null, memory_percent: null, disk_percent: null };
    expect(checkHosts([{ ...host('app-01'), metrics }, host('localhost')], true, NOW)).toMatchObject([
      { summary: '1 host without cpu_percent, memory_percent and disk_percent: app-01' },
      { summary: '1 host named after the local machine: localhost' },
    ]);
  });

  it('is ok with hosts that report, and warns without any host', () => {
    expect(checkHosts([host('a')], true, NOW)).toMatchObject([{ status: 'ok' }]);
    expect(checkHosts([], true, NOW)).toMatchObject([{ status: 'warning', summary: 'no host reports' }]);
  });
});

describe('checkLag', () => {
  it('reports hosts that are evaluated with delay, lagging consumers and old notifications', () => {
    expect(checkLag([host('a', 'pipeline_delayed')], readMetrics(PAGE))).toMatchObject([
      { check: 'lag', status: 'failed', summary: '1 host evaluated with delay: a' },
      { check: 'lag', status: 'warning', summary: 'a consumer lags by 20000 records' },
      { check: 'notifications', status: 'failed', summary: 'a notification has been queued for 700s' },
    ]);
  });

  it('says when the metrics of the service could not be read', () => {
    expect(checkLag([host('a')], [])).toMatchObject([{ status: 'ok', summary: 'no lag' }]);
    expect(checkLag([host('a')], null)[0]?.summary).toContain('could not be read');
  });
});

it('checkChannels rates channels by their last delivery', () => {
  const channel = (enabled: boolean, status?: 'delivered' | 'failed') => ({
    id: 'chn_1',
    name: 'on call',
    kind: 'slack' as const,
    is_default: true,
    enabled,
    last_delivery: status === undefined ? null : { status, at: '2026-11-22T08:00:00.000Z', error: 'timeout' },
    warnings: [],
  });
  expect(checkChannels([channel(false, 'failed')], [])).toMatchObject([{ status: 'warning' }]);
  expect(checkChannels([channel(true), channel(true, 'delivered')], [])).toMatchObject([{ status: 'ok' }]);
  expect(checkChannels([channel(true, 'failed')], [])).toMatchObject([
    { status: 'failed', summary: 'the last delivery to channel on call failed: timeout' },
  ]);
});

it('checkChannels names enabled rules that notify nobody or a missing channel', () => {
  const rule = (name: string, code: 'notifies_nobody' | 'threshold_hidden', enabled = true) => ({
    id: 'rul_1',
    name,
    enabled,
    mode: 'active' as const,
    warnings: [{ code, message: '' }],
  });
  const rules = [
    rule('a', 'notifies_nobody'),
    rule('b', 'threshold_hidden'),
    rule('c', 'notifies_nobody', false),
  ];
  const channel = {
    id: 'chn_1',
    name: 'x',
    kind: 'slack' as const,
    is_default: false,
    enabled: true,
    last_delivery: null,
    warnings: [],
  };
  expect(checkChannels([channel], rules)).toMatchObject([
    { status: 'warning', summary: expect.stringContaining('no channel is a default') },
    { status: 'warning', summary: '1 rule notifies nobody, or a channel that is missing or disabled: a' },
  ]);
});

it('checkChannels names enabled email channels without a mail server', () => {
  const email = (name: string, enabled: boolean) => ({
    id: 'chn_1',
    name,
    kind: 'email' as const,
    is_default: true,
    enabled,
    last_delivery: null,
    warnings: [{ code: 'mail_server_not_configured' as const, message: '' }],
  });
  expect(checkChannels([email('night', true), email('old', false)], [])).toMatchObject([
    { status: 'ok' },
    { status: 'failed', summary: 'no email is sent, since no mail server is configured: night' },
  ]);
});
