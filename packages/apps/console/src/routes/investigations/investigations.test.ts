import { expect, it } from 'vitest';
import type { Finding, Investigation } from './investigation-reads.ts';
import { authorWords, inconclusiveWords, verdictWords } from './investigation-words.ts';
import { investigationFilterOf, isFiltered } from './list/investigations-query.ts';
import { causeOf, findingKey, symptomOf, unaffectedHosts } from './main-findings.ts';
import { seriesPath } from './text/series-path.ts';

it.each([
  ['queued', null, null, 'Waiting in the queue'],
  ['queued', 'inconclusive', 'low', 'Waiting to run again'],
  ['running', null, null, 'Running'],
  ['running', 'root_cause_found', 'high', 'Running again'],
  ['completed', 'root_cause_found', 'high', 'Root cause found · confidence high'],
  ['completed', 'inconclusive', 'low', 'Inconclusive · confidence low'],
  ['failed', null, null, 'Failed'],
  ['cancelled', null, null, 'Cancelled'],
] as const)('an investigation that is %s with %s and %s: %s', (status, conclusion, confidence, words) => {
  expect(verdictWords({ status, conclusion, confidence })).toBe(words);
});

const analysis = { source: 'statistics', model: null, model_status: 'not_configured', model_reason: null };
it.each([
  ['statistics', {}, 'statistics only'],
  ['a model', { source: 'llm', model: 'm-1', model_status: 'used' }, 'worded by the model m-1'],
  [
    'a model that failed',
    { model_status: 'failed', model_reason: 'no answer' },
    'statistics only: no answer',
  ],
  ['a model that was skipped', { model_status: 'skipped' }, 'statistics only: the model was skipped'],
  [
    'a model of which nothing was kept',
    { model_status: 'used' },
    'statistics only: nothing that the model said was kept',
  ],
])('says who worded an analysis: %s', (_name, otherwise, words) => {
  expect(authorWords({ status: 'completed', analysis: { ...analysis, ...otherwise } } as never)).toBe(words);
});

it.each([
  ['too_little_history', 'There is too little history to name a cause.'],
  ['nothing_unusual', 'Nothing unusual was found.'],
  ['several_alike', 'Several causes are about as probable.'],
  ['cause_not_seen', 'The cause is not in what Tidewatch sees.'],
  [null, 'The investigation found no clear cause.'],
])('says why no cause is named: %s', (inconclusive_reason, words) => {
  expect(inconclusiveWords({ inconclusive_reason } as never)).toBe(words);
});

it('says that a model is asked while it is', () => {
  const given = { ...analysis, model_status: 'skipped', model_reason: 'not completed' };
  expect(authorWords({ status: 'running', analysis: given } as never)).toBe(
    'statistics so far, a model is asked',
  );
  expect(authorWords({ status: 'running', analysis: null })).toBeNull();
});

const finding = (id: string, otherwise: Partial<Finding> = {}): Finding => ({
  id,
  kind: 'metric_shift',
  title: id,
  description: '',
  score: 0.5,
  possible_cause: null,
  service_id: 'svc_1',
  host: 'web-01',
  subject: { kind: 'host', name: 'web-01' },
  metric: 'cpu_percent',
  baseline: null,
  observed: null,
  started_at: null,
  hosts: [],
  unaffected_hosts: [],
  evidence_ids: [],
  ...otherwise,
});
const of = (findings: Finding[], cause: string | null) =>
  ({
    findings,
    metric: 'cpu_percent',
    service_id: 'svc_1',
    analysis: { root_cause_finding_id: cause },
  }) as unknown as Investigation;

it('the cause is the finding that the analysis names, the symptom the one about the metric in question', () => {
  const process = finding('fnd_1', { kind: 'process' });
  const elsewhere = finding('fnd_2', { service_id: 'svc_2' });
  const symptom = finding('fnd_3');
  const investigation = of([process, elsewhere, symptom], 'fnd_1');
  expect([causeOf(investigation), symptomOf(investigation)]).toEqual([process, symptom]);
  expect(causeOf(of([process], null))).toBeUndefined();
});

it('a finding keeps its key when a later detector gives it another id', () => {
  expect(findingKey(finding('fnd_1', { title: 'x' }))).toBe(findingKey(finding('fnd_2', { title: 'x' })));
  expect(findingKey(finding('fnd_1', { host: 'b', service_id: 'svc_2' }))).not.toBe(
    findingKey(finding('fnd_1')),
  );
});

it('names unaffected hosts once, whichever finding names them', () => {
  const hosts = ['a', 'b'].map((host) => ({ service_id: `svc_${host}`, host }));
  const findings = [
    finding('fnd_1', { unaffected_hosts: hosts }),
    finding('fnd_2', { unaffected_hosts: hosts.slice(1) }),
  ];
  expect(unaffectedHosts(findings)).toEqual(hosts);
});

it('asks the list for what the URL says, with relative times of now', () => {
  const now = Date.parse('2026-11-26T03:00:00.000Z');
  expect(investigationFilterOf({ status: 'running', host: 'web-01', from: '-1h' }, now)).toEqual({
    status: 'running',
    host: 'web-01',
    from: '2026-11-26T02:00:00.000Z',
  });
  expect([isFiltered({}), isFiltered({ conclusion: 'inconclusive' })]).toEqual([false, true]);
});

it('a sparkline interrupts its line at a gap and draws a single point as a dot', () => {
  const point = (minute: number, avg: number) => ({ t: minute * 60_000, avg, min: avg, max: avg });
  expect(seriesPath([point(0, 0), point(1, 10), point(2, 5), point(10, 10)])).toBe(
    'M0.0 19.0L6.0 1.0L12.0 10.0M60.0 1.0h.01',
  );
  expect(seriesPath([])).toBe('');
});
