import { inertJson } from '@tidewatch/domain/prompt-text/inert-json';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ApiAnswer } from '../tools/tool.ts';
import { boundedAnswer, MAX_ANSWER_BYTES } from './bounded-answer.ts';

const list = (count: number, make: (index: number) => unknown) =>
  Array.from({ length: count }, (_, index) => make(index));

describe('boundedAnswer', () => {
  it('leaves an answer that fits as it is', () => {
    const answer = { findings: [{ id: 'a' }], text: 'x' };
    expect(boundedAnswer(answer)).toBe(answer);
  });

  it('shortens the largest list first, counts what is missing, and keeps the first entries', () => {
    const answer = {
      findings: list(3, (id) => ({ id })),
      timeline: list(500, (at) => ({ at, title: 'something happened' })),
    };
    const bounded: ApiAnswer = boundedAnswer(answer);
    expect(bounded.findings).toEqual(answer.findings);
    expect(bounded.timeline[0]).toEqual({ at: 0, title: 'something happened' });
    expect(bounded.left_out).toEqual({ timeline: 500 - bounded.timeline.length });
  });

  it('thins points evenly, so that the first and the last stay', () => {
    const answer = { series: [{ metric: 'cpu_percent', points: list(2_000, (at) => [at, 1.5]) }] };
    const [{ points }]: ApiAnswer = boundedAnswer(answer)['series'];
    expect([points[0][0], points.at(-1)[0]]).toEqual([0, 1_999]);
  });

  it('shortens a map with many members', () => {
    const metrics = Object.fromEntries(
      list(2_000, (index) => [`metric_${index}`, index]) as [string, number][],
    );
    const bounded: ApiAnswer = boundedAnswer({ id: 'svc', metrics });
    expect(bounded.id).toBe('svc');
    expect(bounded.left_out.metrics).toBe(2_000 - Object.keys(bounded.metrics).length);
  });

  it('has at most 8 KiB for any answer', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 4 })), fc.nat(400), (value, copies) => {
        const bounded = boundedAnswer({ value, copies: list(copies, () => value) });
        expect(Buffer.byteLength(inertJson(bounded))).toBeLessThanOrEqual(MAX_ANSWER_BYTES);
      }),
      { numRuns: 200 },
    );
  });
});
