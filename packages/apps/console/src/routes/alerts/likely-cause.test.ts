import type { Schema } from '@tidewatch/api-client/schema';
import { expect, it } from 'vitest';
import { causeOf, causesByAlert, causesFound } from './likely-cause.ts';

type InvestigationItem = Schema<'InvestigationItem'>;

const investigation = (id: string, conclusion: string, title: string | null, alert_ids: string[]) =>
  ({
    id,
    conclusion,
    confidence: 'high',
    findings: title === null ? [] : [{ title, summary: 'A long text.' }, { title: 'Another finding' }],
    alert_ids,
  }) as unknown as InvestigationItem;

const NEWEST_FIRST = [
  investigation('inv_3', 'no_root_cause', 'Nothing changed', ['alr_1']),
  investigation('inv_2', 'root_cause_found', 'Deployment of checkout', ['alr_1', 'alr_2']),
  investigation('inv_1', 'root_cause_found', 'Process java grew', ['alr_2', 'alr_3']),
  investigation('inv_0', 'root_cause_found', null, ['alr_4']),
];

it('keeps of investigations the first finding of those that found a cause, and nothing else', () => {
  expect(causesFound(NEWEST_FIRST)).toEqual([
    {
      investigationId: 'inv_2',
      title: 'Deployment of checkout',
      confidence: 'high',
      alertIds: ['alr_1', 'alr_2'],
    },
    {
      investigationId: 'inv_1',
      title: 'Process java grew',
      confidence: 'high',
      alertIds: ['alr_2', 'alr_3'],
    },
  ]);
});

it('gives each alert the cause that the newest investigation found', () => {
  const causes = causesByAlert(causesFound(NEWEST_FIRST));
  const foundOf = (id: string) => causeOf(causes, { id, investigation_id: null })?.investigationId;
  expect(['alr_1', 'alr_2', 'alr_3', 'alr_4'].map(foundOf)).toEqual(['inv_2', 'inv_2', 'inv_1', undefined]);
});

it('gives an alert that shares the investigation of another host what that found', () => {
  const causes = causesByAlert(causesFound(NEWEST_FIRST));
  const shared = (investigation_id: string) => causeOf(causes, { id: 'alr_9', investigation_id });
  expect(shared('inv_1')?.title).toBe('Process java grew');
  expect(shared('inv_3')).toBeUndefined();
});
