import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CAUSE, CPU, exampleCase, INVENTED, PEERS, STATISTICS, STRESS } from '../testing/example-case.ts';
import { compose } from './compose.ts';
import { judgeAnswer } from './judge-answer.ts';

const MINTED = [CPU, STRESS, PEERS];

/** Pieces of what a model may write, true and invented, that stand next to each other anyhow. */
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

describe('judgeAnswer', () => {
  it('lets nothing through that was not minted here, whatever a model writes', () => {
    const of = exampleCase();
    const answers = fc.record({
      most_likely_finding_id: fc.constantFrom(CAUSE, null),
      summary: claims,
      root_cause: claims,
      details: claims,
    });
    fc.assert(
      fc.property(answers, (answer) => {
        const judged = judgeAnswer(answer, of, of.evidence);
        const kept = [...judged.summary, ...judged.rootCause, ...judged.details];
        const said = answer.summary.length + answer.root_cause.length + answer.details.length;
        expect(kept.length + judged.dropped.length).toBe(said);
        const words = compose(judged, STATISTICS);
        expect(words === null).toBe(kept.length === 0);
        const all = JSON.stringify(words);
        for (const id of all.match(/evd_\w*/gi) ?? []) expect(MINTED).toContain(id);
        const uncited = MINTED.reduce((rest, id) => rest.replaceAll(`[${id}]`, ''), all.slice(1, -1));
        expect(uncited).not.toMatch(/\]\(|!\[|<|https?:|www\./i);
      }),
    );
  });
});
