import { shapeOf } from '@tidewatch/contracts/ingest/part-shape';
import type { Payload } from '@tidewatch/contracts/ingest/sample';
import { ProblemError } from '@tidewatch/contracts/problems/problem';
import { DAY_MS, MINUTE_MS, SECOND_MS } from '@tidewatch/contracts/time/duration';
import { createSilentLogger } from '@tidewatch/runtime/telemetry/logger';
import { createMetrics } from '@tidewatch/runtime/telemetry/metrics';
import type { KnownPartSeries } from '@tidewatch/store/series/active-series';
import { describe, expect, it } from 'vitest';
import type { DecodedBody } from '../decoding/decoded-body.ts';
import { createPartLimit } from './part-limit.ts';

const ORGANIZATION = 'org_1';
const METRICS = ['used', 'free'];

const bodyOf = (payloads: Payload[]): DecodedBody => ({
  payloads,
  at: payloads.map((_, index) => `/${index}`),
  rejected: 0,
  faults: [],
  faultCount: 0,
  refused: false,
  warnings: [],
  ignored: {},
});

/** A payload of a host with the filesystems `from` to before `to`, each with these metrics. */
function payload(from: number, to: number, { host = 'a', metrics = METRICS } = {}): Payload {
  const names = Array.from({ length: to - from }, (_, index) => `/${from + index}`);
  const shape = shapeOf({
    kinds: names.map(() => 'filesystem'),
    names,
    labels: names.map(() => null),
    metrics: names.flatMap(() => metrics),
    ends: names.map((_, index) => (index + 1) * metrics.length),
  });
  return { host, time: 0, metrics: ['cpu'], values: [1], parts: { shape, values: shape.keys.map(() => 1) } };
}

/** Gateways that share the stored parts of hosts; what is accepted is stored at once unless `later`. */
function open(room: { parts: number; series: number }, { later = false } = {}) {
  const stored = new Map<string, KnownPartSeries & { at: number }>();
  const state = { now: 0, reads: 0, isAway: false };
  const store = {
    async knownParts(_: string, hosts: readonly string[]) {
      state.reads += 1;
      if (state.isAway) throw new Error('away');
      return [...stored.values()].filter(({ host, at }) => hosts.includes(host) && at > state.now - DAY_MS);
    },
  };
  function write({ host, parts }: Payload): void {
    for (const [index, end] of parts?.shape.ends.entries() ?? [])
      for (let at = parts?.shape.ends[index - 1] ?? 0; at < end; at += 1) {
        const [kind, name, metric] = [
          parts?.shape.kinds[index],
          parts?.shape.names[index],
          parts?.shape.metrics[at],
        ] as string[];
        stored.set(`${host} ${name} ${metric}`, {
          host,
          kind: kind ?? '',
          name: name ?? '',
          metric: metric ?? '',
          at: state.now,
        });
      }
  }
  function gateway() {
    const limit = createPartLimit({
      room,
      store,
      settleMs: 0,
      monotonic: () => state.now,
      metrics: createMetrics(),
      logger: createSilentLogger(),
    });
    /** Sends payloads ten seconds later; returns what is accepted, or the problem. */
    return async function send(payloads: Payload[], lenient = false) {
      state.now += 10 * SECOND_MS;
      try {
        const body = await limit.admit(ORGANIZATION, bodyOf(payloads), lenient);
        if (!later) for (const each of body.payloads) write(each);
        return body;
      } catch (error) {
        if (error instanceof ProblemError) return error;
        throw error;
      }
    };
  }
  return { state, gateway };
}

const partsOf = (outcome: DecodedBody | ProblemError) =>
  outcome instanceof ProblemError ? outcome.code : outcome.payloads.map(({ parts }) => parts?.values.length);

describe('the limit of the parts of a host', () => {
  it('counts parts over payloads, takes as many as are allowed exactly, and names the first beyond', async () => {
    const send = open({ parts: 16, series: 1_000 }).gateway();
    expect(partsOf(await send([payload(0, 10)]))).toEqual([20]);
    expect(partsOf(await send([payload(10, 16)]))).toEqual([12]);
    const refused = await send([payload(15, 18)]);
    expect(refused).toMatchObject({ code: 'series_limit', status: 422 });
    expect((refused as ProblemError).detail).toContain('Host a would have more than 16 active parts');
    expect((refused as ProblemError).errors).toEqual([
      {
        in: 'body',
        path: '/0/parts/1',
        code: 'parts_limit',
        message: 'filesystem:/16 is a new part beyond the 16 that a host may have.',
      },
      {
        in: 'body',
        path: '/0/parts/2',
        code: 'parts_limit',
        message: 'filesystem:/17 is a new part beyond the 16 that a host may have.',
      },
    ]);
    expect(partsOf(await send([payload(16, 17, { host: 'b' })]))).toEqual([2]);
  });

  it('leaves only new parts beyond it out under lenient handling, and known ones go on', async () => {
    const send = open({ parts: 16, series: 1_000 }).gateway();
    await send([payload(0, 14)]);
    const taken = (await send([payload(12, 20)], true)) as DecodedBody;
    expect(taken.payloads[0]?.metrics).toEqual(['cpu']);
    expect(taken.payloads[0]?.parts?.shape.ends).toEqual([2, 4, 6, 8, 8, 8, 8, 8]);
    expect(taken.faults.map(({ path }) => path)).toEqual([
      '/0/parts/4',
      '/0/parts/5',
      '/0/parts/6',
      '/0/parts/7',
    ]);
    expect(taken.faultCount).toBe(4);
    for (let round = 0; round < 20; round += 1) {
      expect(partsOf(await send([payload(0, 8)]))).toEqual([16]);
      expect(partsOf(await send([payload(8, 16)]))).toEqual([16]);
      expect(partsOf(await send([payload(16, 17)]))).toBe('series_limit');
    }
  });

  it('counts the series of all parts together, and names the metrics beyond by their part', async () => {
    const send = open({ parts: 100, series: 20 }).gateway();
    await send([payload(0, 9)]);
    const more = payload(0, 2, { metrics: [...METRICS, 'inodes', 'files'] });
    const refused = await send([more]);
    expect((refused as ProblemError).errors.map(({ path, message }) => [path, message])).toEqual([
      ['/0/parts/1/inodes', expect.stringContaining('inodes of filesystem:/1 is a new series beyond the 20')],
      ['/0/parts/1/files', expect.stringContaining('files of filesystem:/1 is a new series beyond the 20')],
    ]);
    expect(partsOf(await send([payload(9, 10)]))).toEqual([2]);
    expect(partsOf(await send([payload(9, 11)], true))).toEqual([2]);
  });

  it('counts the payloads of one request in turn, and a refused request leaves nothing behind', async () => {
    const send = open({ parts: 16, series: 1_000 }).gateway();
    const refused = await send([payload(0, 10), payload(10, 17), payload(0, 3, { host: 'b' })]);
    expect((refused as ProblemError).errors.map(({ path }) => path)).toEqual(['/1/parts/6']);
    expect(partsOf(await send([payload(20, 36)]))).toEqual([32]);
    expect(partsOf(await send([payload(0, 1)]))).toBe('series_limit');
  });

  it('makes room within a minute once parts had no sample for a day', async () => {
    const { state, gateway } = open({ parts: 16, series: 1_000 });
    const send = gateway();
    await send([payload(0, 16)]);
    for (let elapsed = 0; elapsed < DAY_MS - MINUTE_MS; elapsed += 60 * MINUTE_MS) {
      state.now = elapsed;
      expect(partsOf(await send([payload(0, 8)]))).toEqual([16]);
    }
    expect(partsOf(await send([payload(16, 17)]))).toBe('series_limit');
    state.now = DAY_MS + 5 * MINUTE_MS;
    expect(partsOf(await send([payload(16, 24)]))).toEqual([16]);
    expect(partsOf(await send([payload(24, 25)]))).toBe('series_limit');
  });

  it('knows what another gateway has admitted, and what was stored before its start', async () => {
    const { gateway } = open({ parts: 16, series: 1_000 });
    await gateway()([payload(0, 16)]);
    const other = gateway();
    expect(partsOf(await other([payload(0, 16)]))).toEqual([32]);
    expect(partsOf(await other([payload(14, 18)]))).toBe('series_limit');
  });

  it('counts parts that are accepted and not stored yet', async () => {
    const { state, gateway } = open({ parts: 16, series: 1_000 }, { later: true });
    const send = gateway();
    await send([payload(0, 12)]);
    expect(partsOf(await send([payload(12, 17)]))).toBe('series_limit');
    state.now += 30 * MINUTE_MS;
    expect(partsOf(await send([payload(12, 17)]))).toEqual([10]);
  });

  it('reads what is stored neither for hosts far below it, nor for each payload of one at it', async () => {
    const { state, gateway } = open({ parts: 256, series: 2_000 });
    const send = gateway();
    for (let host = 0; host < 50; host += 1) await send([payload(0, 30, { host: `h${host}` })]);
    for (let round = 0; round < 50; round += 1) await send([payload(0, 30, { host: 'h1' })]);
    expect(state.reads).toBe(0);
    await send([payload(0, 256)]);
    expect(state.reads).toBe(1);
    for (let round = 0; round < 30; round += 1)
      expect(partsOf(await send([payload(256, 257)]))).toBe('series_limit');
    expect(state.reads).toBeLessThanOrEqual(1 + 30 / 6 + 1);
  });

  it('refuses nothing while the store cannot be asked', async () => {
    const { state, gateway } = open({ parts: 16, series: 1_000 });
    const send = gateway();
    state.isAway = true;
    expect(partsOf(await send([payload(0, 20)]))).toEqual([40]);
    expect(partsOf(await send([payload(20, 40)]))).toEqual([40]);
    state.isAway = false;
    expect(partsOf(await send([payload(40, 41)]))).toBe('series_limit');
    expect(partsOf(await send([payload(0, 40)]))).toEqual([80]);
  });
});
