import { expect, it } from 'vitest';
import { skewAfter } from './clock.ts';

const SENT = 'Thu, 26 Nov 2026 03:12:40 GMT';
const AT = Date.parse(SENT) + 500;

it.each([
  ['takes the first header', SENT, AT + 7_000, null, 7_000],
  ['takes a large change', SENT, AT - 3_600_000, 0, -3_600_000],
  ['keeps the skew where only the second was cut', SENT, AT + 400, 0, 0],
  ['keeps the skew without a header', null, AT, 5, 5],
  ['keeps the skew where the header is no date', 'soon', AT, 5, 5],
])('%s', (_name, header, now, former, skew) => {
  expect(skewAfter(header, now, former)).toBe(skew);
});
