import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createTidewatchClient } from './client.ts';
import { batches, sendBody, sendLines } from './ingest.ts';
import { fakeService, json, problem } from './testing/fake-service.ts';

const clientOf = (url: string) => createTidewatchClient({ url, key: 'tw_key', random: () => 0 });
const accepted = (count: number) => json(200, { status: 'ok', events_accepted: count });
const fault = (path: string) => ({ in: 'body', path, code: 'not_finite', message: 'Must be finite.' });

async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const each of source) all.push(each);
  return all;
}

describe('batches', () => {
  const numbers = async (lines: string[], bounds: { payloads: number; bytes: number }) =>
    (await collect(batches(lines, bounds))).map((batch) => batch.lines.map(({ number }) => number));

  it('have at most so many payloads, without blank lines', async () => {
    expect(await numbers(['a', '', 'b', ' ', 'c'], { payloads: 2, bytes: 100 })).toEqual([[1, 3], [5]]);
  });

  it('have at most so many bytes, but at least one line', async () => {
    expect(await numbers(['long line', 'é', 'b', 'c'], { payloads: 9, bytes: 5 })).toEqual([
      [1],
      [2, 3],
      [4],
    ]);
  });

  it('are read only as they are requested', async () => {
    let read = 0;
    const lines = (function* () {
      for (; read < 100; read += 1) yield `line ${read}`;
    })();
    const source = batches(lines, { payloads: 10, bytes: 1_000 });
    await source.next();
    expect(read).toBe(10);
  });
});

describe('sendBody', () => {
  it('compresses a body when that makes it smaller', async () => {
    const service = await fakeService(accepted(1));
    const small = JSON.stringify({ host: 'a', metrics: {} });
    const large = JSON.stringify({ host: 'a', metrics: {}, tags: { text: 'x'.repeat(2_000) } });
    for (const body of [small, large])
      await sendBody(clientOf(service.url), body, 'application/json', { lenient: true });
    const [first, second] = service.asked;
    expect(String(first?.body)).toBe(small);
    expect(String(gunzipSync(second?.body ?? ''))).toBe(large);
    expect(first?.headers).toMatchObject({ prefer: 'handling=lenient', 'content-type': 'application/json' });
  });
});

describe('sendLines', () => {
  const lines = ['{"host":"a"}', '', '{"host":"b"}', '{"host":"c"}'];

  it('yields the outcome of each batch', async () => {
    const service = await fakeService(accepted(2), accepted(1));
    const outcomes = await collect(
      sendLines(clientOf(service.url), lines, { bounds: { payloads: 2, bytes: 1_000 } }),
    );
    expect(outcomes.map((each) => each.accepted)).toEqual([2, 1]);
    expect(service.asked.map(({ body }) => String(body))).toEqual([
      '{"host":"a"}\n{"host":"b"}',
      '{"host":"c"}',
    ]);
    expect(service.asked[0]?.headers['content-type']).toBe('application/x-ndjson');
  });

  it('reports the refused lines of a batch, and ends', async () => {
    const service = await fakeService(
      problem(422, 'validation_failed', {}, [fault('/1/metrics/cpu'), fault('/0/host')]),
    );
    const outcomes = await collect(
      sendLines(clientOf(service.url), lines, { bounds: { payloads: 2, bytes: 1_000 } }),
    );
    expect(outcomes).toEqual([
      {
        accepted: 0,
        rejected: 2,
        warnings: [],
        refusals: [
          { line: 3, path: '/metrics/cpu', code: 'not_finite', message: 'Must be finite.' },
          { line: 1, path: '/host', code: 'not_finite', message: 'Must be finite.' },
        ],
      },
    ]);
    expect(service.asked).toHaveLength(1);
  });

  it('accepts the valid payloads of a request with invalid ones when partial ingest is requested', async () => {
    const partly = json(200, {
      status: 'ok',
      events_accepted: 1,
      events_rejected: 1,
      errors: [fault('/0/host')],
    });
    const service = await fakeService(partly, accepted(1));
    const bounds = { payloads: 2, bytes: 1_000 };
    const outcomes = await collect(sendLines(clientOf(service.url), lines, { bounds, lenient: true }));
    expect(outcomes).toMatchObject([{ accepted: 1, rejected: 1, refusals: [{ line: 1 }] }, { accepted: 1 }]);
  });

  it('halves a batch that is too large for the server', async () => {
    const service = await fakeService(problem(413, 'payload_too_large'), accepted(2), accepted(1));
    expect(await collect(sendLines(clientOf(service.url), lines))).toMatchObject([
      { accepted: 3, rejected: 0 },
    ]);
    expect(service.asked.map(({ body }) => String(body).split('\n').length)).toEqual([3, 2, 1]);
  });
});
