import { describe, expect, test } from 'vitest';
import { createPace } from './pace.ts';

describe('the pace of investigations that share a machine', () => {
  test('a busy queue has no rests for ten seconds, then three times what a run took, at most a second', () => {
    let time = 0;
    const pace = createPace(() => time);
    const run = (tookMs: number) => {
      time += tookMs;
      return pace.restAfter(tookMs);
    };
    expect(run(200)).toBe(0);
    expect(run(9_700)).toBe(0);
    expect(run(100)).toBe(300);
    expect(run(100)).toBe(300);
    expect(run(60_000)).toBe(1_000);
  });

  test('a queue that was empty once has ten seconds without rests again', () => {
    let time = 0;
    const pace = createPace(() => time);
    time = 10_000;
    expect(pace.restAfter(10_000)).toBe(1_000);
    pace.idle();
    time += 5_000;
    expect(pace.restAfter(100)).toBe(0);
  });
});
