import { FairShare } from '@tidewatch/runtime/sharing/fair-share';
import { expect, test } from 'vitest';
import { RequestBytes } from './request-bytes.ts';

const never = new AbortController().signal;
const shareOf = (maxWaitMs = 10_000) =>
  new FairShare({ capacity: 10, maxPerOrganization: 8, maxWaitingPerOrganization: 5, maxWaitMs });

test('the bytes of a request count against the share while they arrive, and are released at its end', async () => {
  const share = shareOf();
  const bytes = new RequestBytes(share, 'a');
  expect(bytes.tryAdd(0)).toBe(true);
  expect(bytes.tryAdd(5)).toBe(true);
  expect(bytes.tryAdd(4)).toBe(false);
  await bytes.add(3, never);
  expect([bytes.held, share.counters().heldUnits]).toEqual([8, 8]);
  bytes.shrinkTo(2);
  expect([bytes.held, share.counters().heldUnits]).toEqual([2, 2]);
  bytes.release();
  bytes.release();
  expect(share.counters()).toMatchObject({ heldUnits: 0, organizations: 0 });
});

test('bytes that a request waited for are released at its end', async () => {
  const share = shareOf();
  const other = new RequestBytes(share, 'b');
  other.tryAdd(8);
  const bytes = new RequestBytes(share, 'a');
  bytes.tryAdd(2);
  const waiting = bytes.add(6, never);
  other.release();
  await waiting;
  expect(bytes.held).toBe(8);
  bytes.shrinkTo(1);
  expect([bytes.held, share.counters().heldUnits]).toEqual([1, 1]);
  bytes.release();
  expect(share.counters().heldUnits).toBe(0);
});

test('a request is refused with a 503 that states whether its own organization or others send too many bodies', async () => {
  const share = shareOf(10);
  const first = new RequestBytes(share, 'a');
  first.tryAdd(8);
  await expect(new RequestBytes(share, 'a').add(1, never)).rejects.toMatchObject({
    code: 'ingest_unavailable',
    headers: { 'Retry-After': '1' },
    detail: expect.stringContaining('of this organization'),
  });
  await expect(new RequestBytes(share, 'b').add(5, never)).rejects.toMatchObject({
    code: 'ingest_unavailable',
  });
});

test('a request leaves the queue once its client disconnects', async () => {
  const share = shareOf();
  new RequestBytes(share, 'a').tryAdd(8);
  const gone = new AbortController();
  const waiting = new RequestBytes(share, 'a').add(1, gone.signal);
  gone.abort(new Error('gone'));
  await expect(waiting).rejects.toThrow('gone');
  expect(share.counters().waiting).toBe(0);
});
