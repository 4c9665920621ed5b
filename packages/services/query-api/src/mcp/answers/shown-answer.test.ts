import { HOSTILE_TEXTS, INVENTED_ID } from '@tidewatch/domain/prompt-text/hostile-text.fixture';
import { inertJson } from '@tidewatch/domain/prompt-text/inert-json';
import { describe, expect, it } from 'vitest';
import { shownAnswer } from './shown-answer.ts';

const REAL_ID = `evd_${'1'.repeat(32)}`;
const shown = (value: unknown, ...ids: string[]) => shownAnswer(value, new Set(ids));

describe('shownAnswer', () => {
  it.each(HOSTILE_TEXTS)('shows %j as one inert line, as a value and as a name', (hostile) => {
    const text = inertJson(shown({ host: hostile, tags: { [hostile]: hostile }, list: [[hostile]] }));
    expect(text).not.toMatch(/[<>\n\u2028\u202e\u2066]/);
    expect(text).not.toContain('hunter2');
    expect(text).not.toContain(INVENTED_ID);
    expect(Object.keys(JSON.parse(text))).toEqual(['host', 'tags', 'list']);
  });

  it('keeps ids, times and citations of evidence that the answer has', () => {
    const answer = {
      id: `svc_${'2'.repeat(32)}`,
      at: '2026-11-21T14:36:28.000Z',
      evidence_ids: [REAL_ID],
      summary: `It rose [${REAL_ID}].`,
    };
    expect(shown(answer, REAL_ID)).toEqual(answer);
    expect(shown(answer)).toMatchObject({ evidence_ids: ['(id)'], summary: 'It rose [(id)].' });
  });

  it('rounds measured numbers, and keeps counts', () => {
    expect(shown({ value: 93.51234567, bytes: 104857601, none: null, yes: true })).toEqual({
      value: 93.5123,
      bytes: 104857601,
      none: null,
      yes: true,
    });
  });
});
