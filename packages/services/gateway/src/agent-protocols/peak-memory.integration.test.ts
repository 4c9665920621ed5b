import { openForTest } from '@tidewatch/harness/opened';
import { describe, expect, it } from 'vitest';
import { TEST_KEY } from '../testing/gateway.harness.ts';
import { openGatewayProcess } from '../testing/gateway-process.harness.ts';
import { readCapture } from './testing/captures.fixture.ts';
import { HOSTILE_BODIES } from './testing/hostile/hostile-bodies.fixture.ts';

const MIB = 1_048_576;
/** How much memory a request may take beside that of a gateway that serves ordinary ones. */
const MAX_PEAK_BYTES = 64 * MIB;

const post = (url: string, type: string, body: Buffer, encoding?: string) =>
  fetch(url, {
    method: 'POST',
    headers: {
      'X-API-Key': TEST_KEY,
      'Content-Type': type,
      ...(encoding !== undefined && { 'Content-Encoding': encoding }),
    },
    body: new Uint8Array(body),
  }).then(async (response) => {
    await response.arrayBuffer();
    return response.status;
  });

/** Lines of 20,000 series, which are known after the first time: what a gateway has to do all the time. */
const ordinary = Buffer.from(
  Array.from(
    { length: 20_000 },
    (_, index) => `m${index % 200},host=h${Math.floor(index / 200)} v=${index}\n`,
  ).join(''),
);
const ORDINARY_REQUESTS = 12;

/** Those that need most, of each way of needing it: a process for each of all of them would take minutes. */
const HEAVY = new Set([
  'random bytes',
  'new series with 256 labels each',
  '20,000 histograms with 150 buckets each',
  'new series that refer to 255 labels each',
  'labels that refer to a symbol of a mebibyte',
  'hundreds of thousands of metrics',
  'texts of 7 MiB beyond Latin',
  'lines without fields',
  'a series with 900,000 different tags',
  '240,000 tags of one series',
]);

describe('a gateway that serves ordinary requests', () => {
  it.each(HOSTILE_BODIES.filter(({ name }) => HEAVY.has(name)))(
    'needs at most 64 MiB more for one to $path with $name, and takes the next one',
    { timeout: 120_000 },
    async ({ path, type, body, encoding, status }) => {
      const gateway = await openForTest(openGatewayProcess());
      for (let request = 0; request < ORDINARY_REQUESTS; request += 1)
        expect(await post(`${gateway.url}/api/v2/write?bucket=b`, 'text/plain', ordinary)).toBe(204);
      const bytes = body();
      const rest = gateway.rest();
      const answered = await post(gateway.url + path, type, bytes, encoding);
      const above = gateway.peak() - rest;
      expect(answered).toBe(status);
      expect(above).toBeLessThan(MAX_PEAK_BYTES);
      const { body: good } = readCapture('prometheus', 1);
      expect(await post(`${gateway.url}/api/v1/write`, 'application/x-protobuf', good, 'identity')).toBe(204);
    },
  );
});
