import type { Event } from '@tidewatch/api-client/events';
import { expect, it } from 'vitest';
import { effectOf } from './event-effect.ts';

const ALERT = {
  id: 'alr_1',
  service_id: 'svc_1',
  rule_id: 'rul_1',
  updated_at: '2026-11-26T03:10:00Z',
  status: 'active',
  shadow: false,
  fired_at: '2026-11-26T03:00:00Z',
};
const event = (type: string, subject: string, data: object) => ({ type, subject, data }) as unknown as Event;
const fired = event('alert.fired', 'alr_1', { alert: ALERT });
const progressed = event('investigation.progressed', 'inv_1', {
  investigation: { id: 'inv_1', status: 'running', alert_ids: [] },
  findings: [],
});
const started = event('investigation.started', 'inv_1', {
  investigation: { id: 'inv_1', alert_ids: ['alr_1'] },
});
const failed = event('notification.failed', 'ntf_1', { notification: { alert_ids: ['alr_1'] } });
const ruleChanged = event('rule.updated', 'rul_1', { rule: { id: 'rul_1' } });
const emptyList = {
  pages: [{ alerts: [], pagination: { total: 0, next_cursor: null } }],
  pageParams: [null],
};

it.each<[string, Event, unknown[], unknown, string]>([
  ['replaces the alert', fired, ['alert', 'alr_1'], { ...ALERT, updated_at: '2026-11-26T03:09:00Z' }, 'data'],
  [
    'keeps a newer alert',
    fired,
    ['alert', 'alr_1'],
    { ...ALERT, updated_at: '2026-11-26T03:11:00Z' },
    'none',
  ],
  ['reads an alert that is not there yet', fired, ['alert', 'alr_1'], undefined, 'stale'],
  ['leaves another alert', fired, ['alert', 'alr_2'], ALERT, 'none'],
  ['enters a list', fired, ['alerts', {}], emptyList, 'data'],
  ['leaves a list that is not loaded', fired, ['alerts', {}], undefined, 'none'],
  ['makes the summary stale', fired, ['summary'], undefined, 'stale'],
  ['makes the evidence of its alert stale', fired, ['alert-evidence', 'alr_1'], {}, 'stale'],
  ['leaves the evidence of another alert', fired, ['alert-evidence', 'alr_2'], {}, 'none'],
  ['makes its host stale', fired, ['service', 'svc_1'], {}, 'stale'],
  ['leaves another host', fired, ['service', 'svc_2'], {}, 'none'],
  ['leaves rules', fired, ['rules', {}], {}, 'none'],
  ['makes its investigation stale', progressed, ['investigation', 'inv_1'], {}, 'stale'],
  [
    'adds findings to its investigation',
    progressed,
    ['investigation', 'inv_1'],
    { status: 'running', conclusion: null, findings: [] },
    'data',
  ],
  [
    'makes an alert stale that has no investigation yet',
    started,
    ['alert', 'alr_1'],
    { ...ALERT, investigation_id: null },
    'stale',
  ],
  [
    'leaves an alert that names its investigation',
    started,
    ['alert', 'alr_1'],
    { ...ALERT, investigation_id: 'inv_1' },
    'none',
  ],
  ['leaves an alert of another investigation', started, ['alert', 'alr_2'], ALERT, 'none'],
  ['leaves another investigation', progressed, ['investigation', 'inv_2'], {}, 'none'],
  ['makes lists of investigations stale', progressed, ['investigations', { status: 'running' }], {}, 'stale'],
  ['makes the alert of a notification stale', failed, ['alert', 'alr_1'], ALERT, 'stale'],
  ['leaves alerts of other notifications', failed, ['alert', 'alr_2'], ALERT, 'none'],
  ['makes its rule stale', ruleChanged, ['rule', 'rul_1'], {}, 'stale'],
  ['leaves another rule', ruleChanged, ['rule', 'rul_2'], {}, 'none'],
  ['makes lists of rules stale', ruleChanged, ['rules', { sort: 'name' }], {}, 'stale'],
  ['does nothing if its type is unknown', event('moon.rose', 'x', {}), ['rules'], {}, 'none'],
])('an event %s', (_name, given, key, data, kind) => {
  expect(effectOf(given, key, data).kind).toBe(kind);
});
