import { fakeService, json } from '@tidewatch/api-client/testing/fake-service';
import { describe, expect, it } from 'vitest';
import { run } from '../testing/run.harness.ts';

describe('tidewatch investigations show', () => {
  const finding = {
    id: 'fnd_1',
    kind: 'process',
    title: 'The process "stress\u001b" took the processor.',
    score: 0.934,
    host: 'web-01',
    subject: { kind: 'process', name: 'stress\u001b' },
  };
  const investigation = {
    id: 'inv_1',
    title: 'web-01 is busy',
    status: 'completed',
    host: 'web-01',
    findings: [finding],
    conclusion: 'root_cause_found',
    confidence: 'high',
    question: null,
    failure: null,
    alert_ids: ['alr_1'],
    from: '2026-11-21T14:00:00.000Z',
    to: '2026-11-21T14:36:00.000Z',
    analysis: {
      summary: 'It was "stress".',
      root_cause_finding_id: 'fnd_1',
      source: 'statistics',
      model: null,
    },
    timeline: [{ at: '2026-11-21T14:31:00.000Z', type: 'fired', title: 'An alert fired' }],
    recommendations: [
      { priority: 'high', title: 'Look at it', description: 'By ps.', command: 'ps -C stress', risk: 'none' },
    ],
    feedback: { helpful: true, actual_root_cause: 'a backup', comment: null },
  };

  it('prints summary, findings, timeline and recommendations', async () => {
    const service = await fakeService(json(200, investigation));
    const { code, stdout } = await run(service, ['investigations', 'show', 'inv_1']);
    expect(code).toBe(0);
    expect(stdout).toBe(
      [
        'web-01 is busy',
        '  id          inv_1',
        '  status      completed',
        '  conclusion  root_cause_found, confidence high',
        '  host        web-01',
        '  window      2026-11-21T14:00:00.000Z to 2026-11-21T14:36:00.000Z',
        '  alerts      alr_1',
        '  text by     statistics',
        '  feedback    helpful; a backup',
        '',
        'It was "stress".',
        '',
        'findings (1)',
        'SCORE  KIND             HOST    SUBJECT               WHAT',
        ' 0.93  process (cause)  web-01  process:stress\\u001b  The process "stress\\u001b" took the processor.',
        '',
        'timeline (1)',
        'AT                        TYPE   WHAT',
        '2026-11-21T14:31:00.000Z  fired  An alert fired',
        '',
        'recommendations (1)',
        'high: Look at it',
        '  By ps.',
        '  $ ps -C stress',
        '  risk: none',
        '',
      ].join('\n'),
    );
  });

  it('prints no score of a finding that is only an effect', async () => {
    const effect = {
      ...finding,
      id: 'fnd_2',
      kind: 'metric_shift',
      title: 'Errors rose',
      possible_cause: false,
    };
    const service = await fakeService(json(200, { ...investigation, findings: [finding, effect] }));
    const { stdout } = await run(service, ['investigations', 'show', 'inv_1']);
    expect(stdout).toMatch(/^ 0\.93 +process/m);
    expect(stdout).toMatch(/^ +- +metric_shift +web-01 .*Errors rose$/m);
  });

  it('prints why no cause is named', async () => {
    const analysis = {
      ...investigation.analysis,
      root_cause_finding_id: null,
      inconclusive_reason: 'cause_not_seen',
    };
    const service = await fakeService(
      json(200, { ...investigation, conclusion: 'inconclusive', confidence: 'low', analysis }),
    );
    const { stdout } = await run(service, ['investigations', 'show', 'inv_1']);
    expect(stdout).toContain('  conclusion  inconclusive, confidence low\n  because     cause not seen\n');
  });
});
