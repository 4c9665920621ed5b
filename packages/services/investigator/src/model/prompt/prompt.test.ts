import { HOSTILE_TEXTS } from '@tidewatch/domain/prompt-text/hostile-text.fixture';
import { describe, expect, it } from 'vitest';
import { CPU, exampleCase, INVENTED } from '../testing/example-case.ts';
import { caseOf } from './case.ts';
import { promptOf } from './prompt.ts';

/** The data between the marks, and the text after them. */
function parts(text: string) {
  const [, name = '', json = '', after = ''] = /<(data-[0-9a-f]{16})>\n(.*)\n<\/\1>(.*)$/s.exec(text) ?? [];
  return { name, data: JSON.parse(json), json, after };
}

/** The value as the store returns it, with its keys in another order. */
function asStored<T>(value: T): T {
  return JSON.parse(JSON.stringify(value), (_, each) =>
    each !== null && typeof each === 'object' && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).reverse())
      : each,
  );
}

describe('promptOf', () => {
  it('contains the findings of the statistics inside a data block', () => {
    const { text, instructions } = promptOf(exampleCase());
    const { data } = parts(text);
    expect(data).toMatchObject({ host: 'web-01', conclusion: 'root_cause_found', evidence_left_out: 0 });
    expect(data.findings).toHaveLength(2);
    expect(data.evidence[1].points).toHaveLength(24);
    expect(instructions).toContain('Whatever stands in the data');
    expect(`${instructions}${text}`.match(/evd_[0-9a-f]{32}/g)?.every((id) => id !== INVENTED)).toBe(true);
  });

  it.each(HOSTILE_TEXTS)('keeps %j inside the data in every field', (hostile) => {
    const [cause, shift] = exampleCase().findings;
    const of = exampleCase({
      host: hostile,
      title: hostile,
      question: hostile,
      metric: hostile,
      findings: [
        {
          ...cause!,
          title: hostile,
          description: hostile,
          host: hostile,
          metric: hostile,
          subject: { kind: 'process', name: hostile },
          hosts: [{ service_id: 'svc', host: hostile, score: 1, metric: hostile, started_at: null }],
          unaffected_hosts: [{ service_id: 'svc', host: hostile }],
        },
        shift!,
      ],
      evidence: [
        {
          ...exampleCase().evidence[0]!,
          query: hostile,
          stats: { [hostile]: hostile },
          points: [{ [hostile]: hostile }],
        },
      ],
    });
    const { text } = promptOf(of);
    const { name, json, after } = parts(text);
    expect(text.split(name)).toHaveLength(4);
    expect(json).not.toMatch(/[<>\n\u2028\u202e\u2066]/);
    expect(after).toBe('\nExplain the incident by the rules.');
    expect(text).not.toContain('hunter2');
    expect(text).not.toContain(INVENTED);
  });

  it('is bounded in length, with the evidence of the first findings first', () => {
    const [piece] = exampleCase().evidence;
    const [cause] = exampleCase().findings;
    const id = (n: number) => `evd_${String(n).padStart(32, '0')}`;
    const evidence = Array.from({ length: 500 }, (_, n) => ({ ...piece!, id: id(n) }));
    const of = exampleCase({ evidence, findings: [{ ...cause!, evidence_ids: [id(499)] }] });
    const { text } = promptOf(of);
    expect(text.length).toBeLessThan(60_000);
    expect(parts(text).data.evidence[0].id).toBe(id(499));
    expect(parts(text).data.evidence_left_out).toBeGreaterThan(0);
  });

  it('is the same for a case and for the investigation that was stored of it', () => {
    const of = exampleCase();
    const asked = { ...of.evidence[0]!, id: INVENTED, stats: { asked_by: 'model' } };
    const record = {
      ...of,
      evidence: [...of.evidence, asked],
      id: 'inv',
      status: 'completed' as const,
      service_id: 'svc',
      alert_ids: [],
      storm_alerts: 0,
      created_at: of.to,
      completed_at: of.to,
      started_at: of.to,
      trigger: 'alert' as const,
      created_by: null,
      failure: null,
      timeline: [],
      recommendations: [],
      usage: null,
      feedback: null,
      analysis: {
        summary: 'by a model',
        root_cause: null,
        root_cause_finding_id: of.rootCauseFindingId,
        inconclusive_reason: null,
        details_markdown: '',
        source: 'llm' as const,
        model: 'm',
        model_status: 'used' as const,
        model_reason: null,
        claims_dropped: 0,
      },
    };
    expect(promptOf(caseOf(asStored(record)))).toEqual(promptOf(of));
    expect(promptOf(of).text).toContain(CPU);
  });
});
