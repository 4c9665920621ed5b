import type { Event } from '@tidewatch/api-client/events';
import { expect, it } from 'vitest';
import { eventFilter } from './event-filter.ts';
import { eventWords } from './event-words.ts';

const MATCHERS = { hosts: ['db-*'], tags: {}, rule_ids: [], severities: [], subjects: [] };
const event = (type: string, data: object) =>
  ({ id: `evt_${type}`, type, subject: 'x', time: '2026-11-26T03:00:00.000Z', data }) as unknown as Event;

const FIRED = event('alert.fired', {
  alert: { id: 'alr_1', summary: 'db-03: memory\u202e is full', host: 'db-03', severity: 'critical' },
  rule: { id: 'rul_1', name: 'Memory' },
});
const OFFLINE = event('service.offline', {
  service: { id: 'svc_1', name: 'web-01', status: 'offline', status_reasons: [{ message: 'Silent.' }] },
});
const RULE = event('rule.updated', { rule: { id: 'rul_1', name: 'Memory', severity: 'warning' } });
const DELETED = event('rule.deleted', { rule: { id: 'rul_1', name: 'Memory', severity: 'warning' } });
const DIGEST = event('alert.digest', { alerts: [{}, {}], rule: { id: 'rul_1', name: 'Memory' } });
const COMPLETED = event('investigation.completed', {
  investigation: { id: 'inv_1', title: 'db-03: memory.', host: 'db-03', severity: 'critical' },
  findings: [{ title: 'process reindex' }],
});
const SILENCE = event('silence.created', {
  silence: { matchers: MATCHERS, until: '2026-11-26T04:00:00.000Z', comment: 'upgrade' },
});
const CHANNEL = event('channel.created', { channel: { id: 'chn_1', name: 'on call', kind: 'slack' } });
const FAILED = event('notification.failed', {
  notification: {
    channel: { id: 'chn_1', name: 'on call', kind: 'slack' },
    alert_ids: ['alr_1'],
    transition: 'firing',
    status: 'failed',
    reason: null,
    last_error: 'no_service',
  },
});
const KEY = event('key.created', { key: { name: 'agents', scopes: ['ingest'] }, replaces: null });
const DELAYED = event('pipeline.delayed', { pipeline: { complete_until: '2026-11-26T02:59:00.000Z' } });

it.each<[Event, string, string | null, string | null, string | null]>([
  [FIRED, 'db-03: memory\\u202e is full', 'alert', 'db-03', 'critical'],
  [OFFLINE, 'web-01 is offline: Silent.', 'host', 'web-01', null],
  [RULE, 'Memory', 'rule', null, 'warning'],
  [DELETED, 'Memory', null, null, 'warning'],
  [DIGEST, '2 alerts of Memory', 'rule', null, null],
  [COMPLETED, 'db-03: memory. Found: process reindex', 'investigation', 'db-03', 'critical'],
  [SILENCE, 'host=db-* until 2026-11-26 04:00:00 UTC: upgrade', null, null, null],
  [CHANNEL, 'on call (slack)', 'channel', null, null],
  [FAILED, 'firing to on call: failed: no_service', 'alert', null, null],
  [KEY, 'agents: ingest', null, null, null],
  [DELAYED, 'Alerts are complete until 2026-11-26 02:59:00 UTC', null, null, null],
])('$type is shown in words', (given, text, page, host, severity) => {
  const words = eventWords(given, 'utc');
  expect([words.text, words.page?.name ?? null, words.host, words.severity]).toEqual([
    text,
    page,
    host,
    severity,
  ]);
});

const ALL = [FIRED, OFFLINE, RULE, COMPLETED, DELAYED];

it.each<[string, Parameters<typeof eventFilter>[0], Event[]]>([
  ['nothing', {}, ALL],
  ['types', { types: ['alert.fired', 'rule.updated'] }, [FIRED, RULE]],
  ['a severity', { severity: 'critical' }, [FIRED, COMPLETED]],
  ['a pattern of hosts, which events without a host never match', { host: 'db-*' }, [FIRED, COMPLETED]],
  ['all that is given', { types: ['alert.fired'], host: 'web-*' }, []],
])('filters events by %s', (_name, filter, expected) => {
  expect(ALL.filter(eventFilter(filter))).toEqual(expected);
});
