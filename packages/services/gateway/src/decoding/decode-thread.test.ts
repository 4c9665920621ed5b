import { openForTest } from '@tidewatch/harness/opened';
import { expect, it } from 'vitest';
import { createDecodeThread } from './decode-thread.ts';

const body = () =>
  Buffer.from(`[${'{"host":"a","metrics":{"cpu":1}},'.repeat(500)}{"host":"b","metrics":{}}]`);
const options = { decoder: 'json', receivedAt: 1_795_000_000_000, lenient: false };

async function decode(timeoutMs?: number) {
  const thread = await openForTest(createDecodeThread(timeoutMs));
  return thread.decode(body(), options, 'org_1', new AbortController().signal);
}

it('a body that is not decoded in time may be sent again, and is not refused as too large', async () => {
  await expect(decode(1)).rejects.toMatchObject({
    code: 'ingest_unavailable',
    headers: { 'Retry-After': '10' },
    detail: 'The body was not decoded within 0.001 seconds, since the machine is busy.',
  });
});

it('a body that is decoded in time has its payloads in their order', async () => {
  const { payloads, faultCount } = await decode();
  expect([payloads.length, faultCount, payloads.at(-1)?.host]).toEqual([501, 0, 'b']);
});
