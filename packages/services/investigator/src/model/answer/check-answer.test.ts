import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CAUSE, CPU, exampleCase, INVENTED, PEERS, STATISTICS, STRESS } from '../testing/example-case.ts';
import { checkAnswer } from './check-answer.ts';
import { compose } from './compose.ts';

const MINTED = [CPU, STRESS, PEERS];

/** Fragments of text that a model may write, valid and invented, in any order. */
const piece = fc.oneof(
  fc.constantFrom(
    ...MINTED,
    INVENTED,
    INVENTED.toUpperCase(),
    CAUSE,
    'evd_',
    '[',
    '](',
    '](https://evil.example)',
    '![',
  ),
  fc.constantFrom(
    '<img src=x>',
    '\u200b',
    '\u202e',
    '\n',
    '- ',
    '# ',
    'web-01 ',
    '96 ',
    'www.evil.example',
    '`',
    ' ',
  ),
  fc.string({ maxLength: 8 }),
);
const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
const claims = fc.array(
  fc.record({
    text,
    evidence_ids: fc.array(fc.oneof(fc.constantFrom(...MINTED, INVENTED), text), { maxLength: 3 }),
  }),
  { maxLength: 4 },
);

describe('checkAnswer', () => {
  it('keeps no id, link or HTML that a model invents, for any text', () => {
    const of = exampleCase();
    const answers = fc.record({
      most_likely_finding_id: fc.constantFrom(CAUSE, null),
      summary: claims,
      root_cause: claims,
      details: claims,
    });
    fc.assert(
      fc.property(answers, (answer) => {
        const checkedAnswer = checkAnswer(answer, of, of.evidence);
        const kept = [...checkedAnswer.summary, ...checkedAnswer.rootCause, ...checkedAnswer.details];
        const claimCount = answer.summary.length + answer.root_cause.length + answer.details.length;
        expect(kept.length + checkedAnswer.dropped.length).toBe(claimCount);
        const words = compose(checkedAnswer, STATISTICS);
        expect(words === null).toBe(kept.length === 0);
        const all = JSON.stringify(words);
        for (const id of all.match(/evd_\w*/gi) ?? []) expect(MINTED).toContain(id);
        const uncited = MINTED.reduce((rest, id) => rest.replaceAll(`[${id}]`, ''), all.slice(1, -1));
        expect(uncited).not.toMatch(/\]\(|!\[|<|https?:|www\./i);
      }),
    );
  });
});
