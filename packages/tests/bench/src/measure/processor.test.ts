import { expect, test } from 'vitest';
import { parseProcessorTime } from './processor.ts';

test('processor time is busy unless it is idle, waiting or stolen', () => {
  const text = 'cpu  1000 200 300 90000 5000 40 60 700 11 12\ncpu0 1 2 3 4 5 6 7 8 9 10\n';
  expect(parseProcessorTime(text)).toEqual({ busy: 16, stolen: 7 });
});
