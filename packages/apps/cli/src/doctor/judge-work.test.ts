import { readMetrics } from '@tidewatch/api-client/prometheus-text';
import { describe, expect, it } from 'vitest';
import { type Host, judgeChannels, judgeHosts, judgeLag } from './judge-work.ts';

const host = (
  name: string,
  code?: Host['status_reasons'][number]['code'],
  status: Host['status'] = 'degraded',
): Host => ({
  last_seen: '2026-11-22T08:00:00.000Z',
  name,
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

it('reads a page of metrics', () => {
  expect(readMetrics(PAGE)).toEqual([
    { name: 'tidewatch_consumer_lag_records', labels: 'consumer="writer"', value: 20_000 },
    { name: 'tidewatch_consumer_lag_records', labels: 'consumer="evaluator"', value: 5 },
    { name: 'tidewatch_writer_lag_seconds', labels: '', value: 0.2 },
    { name: 'tidewatch_notifications_oldest_seconds', labels: '', value: 700 },
  ]);
});

describe('judgeHosts', () => {
  it('names silent hosts and those with a wrong clock, a few of them', () => {
    const silent = Array.from({ length: 7 }, (_, index) => host(`db-${index}`, 'silent', 'offline'));
    expect(judgeHosts([host('a'), host('b', 'clock_skew'), ...silent], true, NOW)).toMatchObject([
      { status: 'warning', summary: '7 hosts silent: db-0, db-1, db-2, db-3, db-4 and 2 more' },
      { status: 'warning', summary: '1 host with a wrong clock: b' },
    ]);
  });

  it('names a host that was not seen for minutes, whatever its status says', () => {
    const later = NOW + 6 * 60_000;
    const muted = host('b', 'silenced', 'maintenance');
    expect(judgeHosts([host('a'), muted], true, later)).toMatchObject([{ summary: '2 hosts silent: a, b' }]);
    expect(judgeHosts([host('c', 'silent', 'maintenance')], true, NOW)).toMatchObject([
      { status: 'warning' },
    ]);
  });

  it('is content with hosts that report, and not with none', () => {
    expect(judgeHosts([host('a')], true, NOW)).toMatchObject([{ status: 'ok' }]);
    expect(judgeHosts([], true, NOW)).toMatchObject([{ status: 'warning', summary: 'no host reports' }]);
  });
});

describe('judgeLag', () => {
  it('tells of hosts that are judged with delay and of consumers that are behind', () => {
    expect(judgeLag([host('a', 'pipeline_delayed')], readMetrics(PAGE))).toMatchObject([
      { check: 'lag', status: 'failed', summary: '1 host judged with delay: a' },
      { check: 'lag', status: 'warning', summary: 'a consumer is behind: 20000 records' },
      { check: 'notifications', status: 'failed', summary: 'a notification waits: 700s' },
    ]);
  });

  it('says when metrics are not in reach', () => {
    expect(judgeLag([host('a')], [])).toMatchObject([{ status: 'ok', summary: 'nothing lags behind' }]);
    expect(judgeLag([host('a')], null)[0]?.summary).toContain('not in reach');
  });
});

it('judges channels by what they did last', () => {
  const channel = (enabled: boolean, status?: 'delivered' | 'failed') => ({
    id: 'chn_1',
    name: 'on call',
    kind: 'slack' as const,
    is_default: true,
    enabled,
    last_delivery: status === undefined ? null : { status, at: '2026-11-22T08:00:00.000Z', error: 'timeout' },
    warnings: [],
  });
  expect(judgeChannels([channel(false, 'failed')], [])).toMatchObject([{ status: 'warning' }]);
  expect(judgeChannels([channel(true), channel(true, 'delivered')], [])).toMatchObject([{ status: 'ok' }]);
  expect(judgeChannels([channel(true, 'failed')], [])).toMatchObject([
    { status: 'failed', summary: 'channel on call failed last: timeout' },
  ]);
});

it('names rules that notify nobody, or channels that are not there, unless they are off or in shadow', () => {
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
  expect(judgeChannels([channel], rules)).toMatchObject([
    { status: 'warning', summary: expect.stringContaining('no channel is a default') },
    { status: 'warning', summary: '1 rule notifies nobody, or a channel that is missing or disabled: a' },
  ]);
});

it('names the enabled email channels that nothing is sent to for want of a mail server', () => {
  const email = (name: string, enabled: boolean) => ({
    id: 'chn_1',
    name,
    kind: 'email' as const,
    is_default: true,
    enabled,
    last_delivery: null,
    warnings: [{ code: 'mail_server_not_configured' as const, message: '' }],
  });
  expect(judgeChannels([email('night', true), email('old', false)], [])).toMatchObject([
    { status: 'ok' },
    { status: 'failed', summary: 'no mail server is configured, so that no email is sent: night' },
  ]);
});
