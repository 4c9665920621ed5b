import { expect, test } from 'vitest';
import { mainThreadCpu, type TraceEvent } from './main-thread.ts';

const event = (changes: Partial<TraceEvent>): TraceEvent => ({
  name: 'RunTask',
  cat: 'devtools.timeline',
  ph: 'X',
  pid: 1,
  tid: 1,
  ts: 0,
  ...changes,
});

test('counts the processor time of the tasks between the navigation and the mark, of that thread alone', () => {
  const events = [
    event({ ts: 1_000, tdur: 50_000 }),
    event({ ts: 12_000, tdur: 3_000 }),
    event({ ts: 15_000, tdur: 4_500 }),
    event({ ts: 16_000, tdur: 70_000, tid: 2 }),
    event({ ts: 17_000, tdur: 70_000, pid: 2 }),
    event({ ts: 18_000, tdur: 70_000, name: 'FunctionCall' }),
    event({ name: 'data', cat: 'blink.user_timing', ph: 'I', ts: 20_000 }),
    event({ ts: 21_000, tdur: 60_000 }),
  ];
  expect(mainThreadCpu(events, 'data', 10)).toBe(7.5);
  expect(() => mainThreadCpu(events, 'gone', 10)).toThrow('the trace has no mark "gone"');
});
