import { eventSchema } from '@tidewatch/contracts/events/event';
import type { Finding } from '@tidewatch/contracts/investigations/finding';
import { newId } from '@tidewatch/contracts/values/id';
import { expect, it } from 'vitest';
import { investigationEvent } from './event.ts';
import type { InvestigationRow } from './row.ts';

const NOW = Date.UTC(2026, 10, 21, 14, 36, 28);
const SERVICE = newId('svc');

const finding = (score: number): Finding => ({
  id: newId('fnd'),
  kind: 'process',
  title: 'It was "stress".',
  description: 'It appeared.',
  score,
  possible_cause: true,
  service_id: SERVICE,
  host: 'web-01',
  subject: { kind: 'process', name: 'stress' },
  metric: null,
  baseline: null,
  observed: null,
  started_at: null,
  hosts: [],
  unaffected_hosts: [],
  evidence_ids: [newId('evd')],
});

const ROW: InvestigationRow = {
  organization_id: newId('org'),
  id: newId('inv'),
  created_at: NOW,
  created_by: null,
  trigger: 'alert',
  alert_ids: [newId('alr')],
  storm_alerts: 0,
  service_id: SERVICE,
  host: 'web-01',
  metric: 'cpu_percent',
  question: null,
  severity: 'critical',
  title: 'web-01 is busy',
  window_from: NOW - 3_600_000,
  window_to: NOW,
  status: 'running',
  started_at: NOW,
  completed_at: null,
  conclusion: null,
  confidence: null,
  findings: Array.from({ length: 12 }, (_, index) => finding(1 - index / 12)),
  analysis: null,
  timeline: [],
  recommendations: [],
  usage: null,
  feedback: null,
  failure: null,
};

const context = { now: NOW, publicUrl: null };
const dataOf = (event: unknown) => {
  const parsed = eventSchema.parse(event);
  if (!('investigation' in parsed.data)) throw new Error('it is of something else');
  return parsed.data;
};

it('an event about progress contains the findings of one detector and the number of all findings so far', () => {
  const progress = { detector: 'change-point', findings: ROW.findings.slice(3, 5) };
  const event = investigationEvent(newId('evt'), 'investigation.progressed', ROW, context, progress);
  expect(event).toMatchObject({ subject: ROW.id, time: '2026-11-21T14:36:28.000Z' });
  const { detector, findings, findings_total: total, investigation, analysis, links } = dataOf(event);
  expect([detector, findings.map(({ id }) => id), total]).toEqual([
    ...['change-point', progress.findings.map(({ id }) => id), 12],
  ]);
  expect(investigation).toMatchObject({ id: ROW.id, status: 'running', alert_ids: ROW.alert_ids });
  expect([analysis, links]).toEqual([null, { investigation: null, service: null }]);
});

it('an event about a completed investigation contains the ten best findings and the texts of the analysis', () => {
  const analysis = {
    summary: 'It was "stress".',
    root_cause: 'stress',
    root_cause_finding_id: ROW.findings[0]?.id ?? null,
    inconclusive_reason: null,
    details_markdown: 'at length',
    source: 'statistics' as const,
    model: null,
    model_reason: null,
    model_status: 'not_configured' as const,
    claims_dropped: 0,
  };
  const row: InvestigationRow = {
    ...ROW,
    status: 'completed',
    conclusion: 'root_cause_found',
    confidence: 'high',
    analysis,
    completed_at: NOW,
  };
  const data = dataOf(investigationEvent(newId('evt'), 'investigation.completed', row, context));
  expect(data.findings.map(({ id }) => id)).toEqual(ROW.findings.slice(0, 10).map(({ id }) => id));
  const { root_cause_finding_id: cause } = analysis;
  expect(data.analysis).toEqual({
    summary: 'It was "stress".',
    root_cause: 'stress',
    root_cause_finding_id: cause,
    source: 'statistics',
  });
  expect(JSON.stringify(data)).not.toContain('at length');
});
