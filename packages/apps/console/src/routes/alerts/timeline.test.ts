import { expect, it } from 'vitest';
import type { Alert } from './alert-reads.ts';
import { timelineOf } from './timeline.ts';

const ALERT = {
  host: 'db-03',
  rule_name: 'Memory is full',
  metric: 'memory_percent',
  pending_since: '2026-11-26T03:03:31.000Z',
  fired_at: '2026-11-26T03:08:31.000Z',
  value_at_fire: 97.2,
  resolved_at: null,
  resolution: null,
  acknowledged_at: '2026-11-26T03:10:00.000Z',
  acknowledged_by: { key_id: 'key_1', name: 'Anna' },
  comments: [{ at: '2026-11-26T03:11:00.000Z', by: { key_id: 'key_1', name: 'Anna' }, text: 'Restarted' }],
  notifications: [
    {
      id: 'ntf_1',
      channel: { id: 'chn_1', kind: 'slack', name: 'on call' },
      transition: 'fired',
      status: 'delivered',
      reason: null,
      attempts: 1,
      last_error: null,
      created_at: '2026-11-26T03:08:31.100Z',
      sent_at: '2026-11-26T03:08:33.000Z',
    },
  ],
} as unknown as Alert;

it('merges transitions, notifications, comments, acknowledgement, findings and markers, newest first', () => {
  const investigation = {
    findings: [
      { id: 'fnd_1', started_at: '2026-11-26T03:01:00.000Z', title: '"reindex" started' },
      { id: 'fnd_2', started_at: null, title: 'without a time' },
    ],
  } as never;
  const markers = [{ id: 'mrk_1', at: '2026-11-26T02:58:00.000Z', title: 'deploy 14.2' }];
  const entries = timelineOf(ALERT, undefined, investigation, markers, 'percent');
  expect(entries.map(({ at, text }) => `${at.slice(11, 19)} ${text}`)).toEqual([
    '03:11:00 Anna: Restarted',
    '03:10:00 acknowledged by Anna',
    '03:08:33 fired to on call (slack): delivered in 1.9 s',
    '03:08:31 fired at 97.2 %',
    '03:03:31 pending',
    '03:01:00 finding: "reindex" started',
    '02:58:00 deploy 14.2',
  ]);
});

it('takes the transitions of the evidence, and says why the alert is resolved', () => {
  const evidence = {
    transitions: [
      { from: 'pending', to: 'firing', at: ALERT.fired_at, reason: 'breach', value: 97.2 },
      { from: 'firing', to: 'firing', at: '2026-11-26T03:09:00.000Z', reason: 'escalated', value: 99 },
      { from: 'firing', to: 'resolved', at: '2026-11-26T03:20:00.000Z', reason: 'recovered', value: 40 },
    ],
  } as never;
  const alert = {
    ...ALERT,
    comments: [],
    notifications: [],
    acknowledged_at: null,
    resolution: 'recovered',
  } as never;
  expect(timelineOf(alert, evidence, undefined, [], 'percent').map(({ text }) => text)).toEqual([
    'resolved at 40 %: the value recovered',
    'escalated at 99 %',
    'fired at 97.2 %',
  ]);
});

it('names a new sample that confirms an old one, and a breach that begins again, otherwise than the firing', () => {
  const evidence = {
    transitions: [
      { from: 'pending', to: 'firing', at: '2026-11-26T03:08:31.000Z', reason: 'breach', value: 97 },
      { from: 'firing', to: 'firing', at: '2026-11-26T03:09:00.000Z', reason: 'confirmed', value: 98 },
      { from: 'firing', to: 'recovering', at: '2026-11-26T03:10:00.000Z', reason: 'clear', value: 50 },
      { from: 'recovering', to: 'firing', at: '2026-11-26T03:11:00.000Z', reason: 'breach', value: 99 },
    ],
  } as never;
  const alert = { ...ALERT, comments: [], notifications: [], acknowledged_at: null } as never;
  expect(timelineOf(alert, evidence, undefined, [], 'percent').map(({ text }) => text)).toEqual([
    'firing again at 99 %',
    'recovering at 50 %',
    'confirmed by a new sample at 98 %',
    'fired at 97 %',
  ]);
});
