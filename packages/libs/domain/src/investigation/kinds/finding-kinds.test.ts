import { FINDING_KINDS, type FindingKind } from '@tidewatch/contracts/investigations/finding';
import { expect, it } from 'vitest';
import { aboutHost } from '../draft.ts';
import type { Subject } from '../facts.ts';
import type { FindingDraft } from '../finding.ts';
import { hostFacts } from '../testing/host-facts.ts';
import { timelineOf } from '../verdict/timeline.ts';
import { isCandidate, isContext, isPast } from './finding-kinds.ts';

const facts = hostFacts();

function finding(kind: FindingKind, subjectKind: Subject['kind'], title = 'A title'): FindingDraft {
  const subject = { kind: subjectKind, name: 'api' };
  const given = { kind, detector: 'any', title, description: '', score: 1, subject, evidence: [] };
  return aboutHost(facts, { ...given, startedAt: facts.from });
}

it('names neither a data gap, a recurrence nor a list of peer hosts as a possible cause', () => {
  const never = FINDING_KINDS.filter((kind) => !isCandidate(finding(kind, 'host')));
  expect(never).toEqual(['peer_hosts', 'recurrence', 'data_gap']);
  expect(isCandidate(finding('peer_hosts', 'tag'))).toBe(true);
  expect(FINDING_KINDS.filter((kind) => isContext(finding(kind, 'host')))).toEqual([
    'recurrence',
    'data_gap',
  ]);
  expect(FINDING_KINDS.filter((kind) => isPast(finding(kind, 'host')))).toEqual(['recurrence']);
});

it.each([
  ['metric_shift', 'host', 'metric_shift', 'detector'],
  ['correlated_metric', 'host', 'metric_shift', 'detector'],
  ['saturation', 'host', 'metric_shift', 'detector'],
  ['process', 'process', 'metric_shift', 'detector'],
  ['container', 'container', 'metric_shift', 'detector'],
  ['restart', 'host', 'host_restarted', 'detector'],
  ['restart', 'container', 'container_restarted', 'detector'],
  ['restart', 'process', 'process_started', 'detector'],
  ['data_gap', 'host', 'host_silent', 'detector'],
  ['change', 'tag', 'change', 'user'],
  ['recurrence', 'host', 'recurrence', 'detector'],
] as const)(
  'enters a finding of kind %s about a %s into the timeline as %s by %s',
  (kind, subject, type, actor) => {
    expect(timelineOf([finding(kind, subject)])).toMatchObject([{ type, actor }]);
  },
);

it('enters a process that appeared into the timeline as started, and peer hosts not at all', () => {
  const appeared = finding('process', 'process', 'Process "api" appeared at 14:31');
  expect(timelineOf([appeared, finding('peer_hosts', 'host')])).toMatchObject([{ type: 'process_started' }]);
});
