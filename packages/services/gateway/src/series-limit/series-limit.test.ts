import { shapeOf } from '@tidewatch/contracts/ingest/part-shape';
import type { Payload } from '@tidewatch/contracts/ingest/sample';
import { ProblemError } from '@tidewatch/contracts/problems/problem';
import { createSilentLogger } from '@tidewatch/runtime/telemetry/logger';
import { createMetrics } from '@tidewatch/runtime/telemetry/metrics';
import type { KnownPartSeries } from '@tidewatch/store/series/active-series';
import { describe, expect, it } from 'vitest';
import type { DecodedBody } from '../decoding/decoded-body.ts';
import { countPayloads } from '../ingest-meter.ts';
import { createSeriesLimit } from './series-limit.ts';
import type { SeriesStore } from './series-store.ts';

const ORGANIZATION = 'org_1';

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
const payload = (host: string, from: number, to: number): Payload => {
  const names = Array.from({ length: to - from }, (_, index) => `m${from + index}`);
  return { host, time: 0, metrics: names, values: names.map(() => 1) };
};

/** Gateways that share a set of stored series; their publications store at once or, with `later`, when the test says so. */
function open(limit: number, { later = false } = {}) {
  const stored = new Map<string, Set<string>>();
  const storedParts = new Map<string, KnownPartSeries[]>();
  const state = { counts: 0, looks: 0, away: false };
  const asked = <T>(answer: T): Promise<T> =>
    state.away ? Promise.reject(new Error('away')) : Promise.resolve(answer);
  const store: SeriesStore = {
    count() {
      state.counts += 1;
      return asked([...stored.values()].reduce((sum, metrics) => sum + metrics.size, 0));
    },
    known(_, hosts) {
      state.looks += 1;
      const known = hosts.filter((host) => stored.has(host));
      return asked(known.map((host) => ({ host, container: null, metrics: [...(stored.get(host) ?? [])] })));
    },
    knownParts: (_, hosts) => asked(hosts.flatMap((host) => storedParts.get(host) ?? [])),
  };
  const write = (payloads: readonly Payload[]) => {
    for (const { host, metrics } of payloads) {
      const known = stored.get(host) ?? new Set();
      for (const metric of metrics) known.add(metric);
      stored.set(host, known);
    }
  };
  function gateway() {
    const monotonic = () => performance.now();
    const seriesLimit = createSeriesLimit({
      limit,
      store,
      settleMs: later ? 60_000 : 0,
      monotonic,
      metrics: createMetrics(),
      logger: createSilentLogger(),
    });
    /** Sends payloads; returns the accepted ones, or the problem. Where they are not durable nothing is stored. */
    async function send(payloads: Payload[], lenient = false, isDurable = true) {
      const { samples } = countPayloads(payloads);
      try {
        const { body, settle } = await seriesLimit.admit(ORGANIZATION, bodyOf(payloads), samples, lenient);
        if (!later && isDurable) write(body.payloads);
        settle(isDurable);
        return body;
      } catch (error) {
        if (error instanceof ProblemError) return error;
        throw error;
      }
    }
    return { send, warning: () => seriesLimit.warning(ORGANIZATION) };
  }
  return { state, gateway, write };
}

const isProblem = (outcome: unknown) => outcome instanceof ProblemError;

describe('the limit of series', () => {
  it('checks series only where all samples as new series would exceed it', async () => {
    const { state, gateway } = open(100);
    const { send } = gateway();
    const differing = [payload('a', 0, 10), payload('a', 1, 11)];
    for (let round = 0; round < 10; round += 1)
      expect(isProblem(await send([differing[round % 2] as Payload]))).toBe(false);
    expect(state).toMatchObject({ counts: 1, looks: 0 });
    for (let round = 0; round < 10; round += 1)
      expect(isProblem(await send([differing[round % 2] as Payload]))).toBe(false);
    expect(state.looks).toBe(1);
  });

  it('neither counts nor checks series of hosts that report the same again', async () => {
    const { state, gateway } = open(100);
    const { send } = gateway();
    for (let round = 0; round < 50; round += 1)
      for (const host of ['a', 'b', 'c']) expect(isProblem(await send([payload(host, 0, 30)]))).toBe(false);
    expect(state).toMatchObject({ counts: 1, looks: 0 });
    expect(isProblem(await send([payload('d', 0, 11)]))).toBe(true);
    expect(isProblem(await send([payload('d', 0, 10)]))).toBe(false);
  });

  it('counts the series of a payload again that may not have been stored', async () => {
    const { state, gateway } = open(20);
    const { send } = gateway();
    expect(isProblem(await send([payload('a', 0, 10)], false, false))).toBe(false);
    expect(isProblem(await send([payload('a', 0, 10)]))).toBe(false);
    expect(isProblem(await send([payload('b', 0, 10)]))).toBe(false);
    expect(state.looks).toBeGreaterThan(0);
    expect(isProblem(await send([payload('b', 10, 11)]))).toBe(true);
  });

  it('refuses a request with new series above it as a whole, and names each', async () => {
    const { gateway } = open(20);
    const { send } = gateway();
    await send([payload('a', 0, 15)]);
    const refused = await send([payload('a', 0, 15), payload('b', 0, 6)]);
    expect(refused).toMatchObject({ code: 'series_limit', status: 422 });
    expect((refused as ProblemError).errors).toHaveLength(6);
    expect((refused as ProblemError).errors[0]).toMatchObject({
      in: 'body',
      path: '/1/metrics/m0',
      code: 'series_limit',
    });
    // Sends again, to show that a refused request leaves nothing behind.
    expect(isProblem(await send([payload('a', 0, 15), payload('b', 0, 5)]))).toBe(false);
    expect(isProblem(await send([payload('b', 5, 6)]))).toBe(true);
    expect(isProblem(await send([payload('b', 0, 5), payload('a', 0, 15)]))).toBe(false);
  });

  it('keeps known series, and new ones up to the limit, under lenient handling', async () => {
    const { gateway } = open(20);
    const { send } = gateway();
    await send([payload('a', 0, 15)]);
    const taken = await send([payload('a', 10, 18), payload('b', 0, 3)], true);
    if (taken instanceof ProblemError) throw taken;
    expect(taken.payloads.map(({ metrics }) => metrics.length)).toEqual([8, 0]);
    expect(taken.payloads.map(({ values }) => values.length)).toEqual([8, 0]);
    expect(taken.faults.map(({ path }) => path)).toEqual(['/1/metrics/m0', '/1/metrics/m1', '/1/metrics/m2']);
  });

  it('counts series of parts, names new ones beyond it by their part, and leaves only these out', async () => {
    const { gateway } = open(10);
    const { send } = gateway();
    await send([payload('a', 0, 8)]);
    const lists = { kinds: ['disk', 'disk'], names: ['sda', 'sdb'], labels: [null, null], ends: [1, 3] };
    const parts = { shape: shapeOf({ ...lists, metrics: ['busy', 'busy', 'await'] }), values: [1, 2, 3] };
    const refused = await send([{ ...payload('a', 0, 8), parts }]);
    expect((refused as ProblemError).errors.map(({ path }) => path)).toEqual([
      '/0/parts/0/busy',
      '/0/parts/1/busy',
      '/0/parts/1/await',
    ]);
    const taken = await send([{ ...payload('a', 0, 8), parts }, { ...payload('b', 0, 2) }], true);
    if (taken instanceof ProblemError) throw taken;
    expect(taken.payloads.map(({ metrics }) => metrics.length)).toEqual([8, 2]);
    expect(taken.payloads[0]?.parts).toMatchObject({ shape: { metrics: [], ends: [0, 0] }, values: [] });
    expect(taken.faults).toHaveLength(3);
  });

  it('counts a series once, however often it occurs in a body', async () => {
    const { gateway } = open(20);
    const { send } = gateway();
    await send([payload('a', 0, 10)]);
    const many = Array.from({ length: 10 }, () => payload('b', 0, 10));
    expect(isProblem(await send(many))).toBe(false);
    expect(isProblem(await send([payload('c', 0, 1)]))).toBe(true);
  });

  it('counts admitted series that are not stored yet', async () => {
    const { gateway } = open(20, { later: true });
    const { send } = gateway();
    expect(isProblem(await send([payload('a', 0, 12)]))).toBe(false);
    expect(isProblem(await send([payload('b', 0, 12)]))).toBe(true);
    expect(isProblem(await send([payload('b', 0, 8)]))).toBe(false);
  });

  it('accepts a host that reports again before it is stored', async () => {
    const { gateway } = open(1_000, { later: true });
    const { send } = gateway();
    const fleet = Array.from({ length: 85 }, (_, host) => payload(`h${host}`, 0, 10));
    for (let round = 0; round < 30; round += 1)
      for (const one of fleet) expect(isProblem(await send([one])), `round ${round}`).toBe(false);
    expect(isProblem(await send([payload('more', 0, 200)]))).toBe(true);
  });

  it('accepts a new host after series were admitted while the database was unavailable', async () => {
    const { state, gateway, write } = open(100, { later: true });
    const { send } = gateway();
    const known = [payload('a', 0, 10)];
    await send(known);
    write(known);
    state.away = true;
    for (let round = 0; round < 30; round += 1) await send([payload(`h${round}`, 0, 10)]);
    state.away = false;
    expect(isProblem(await send([payload('new', 0, 10)]))).toBe(false);
  });

  it('is exceeded by several gateways by at most what each of them counted as remaining', async () => {
    const { gateway } = open(20, { later: true });
    const gateways = [gateway(), gateway(), gateway()];
    let taken = 0;
    for (let host = 0; host < 60; host += 1)
      if (!isProblem(await gateways[host % 3]?.send([payload(`h${host}`, 0, 1)]))) taken += 1;
    expect(taken).toBe(3 * 20);
  });

  it('refuses nothing while the database is unavailable', async () => {
    const { state, gateway } = open(20);
    const { send } = gateway();
    state.away = true;
    expect(isProblem(await send([payload('a', 0, 30)]))).toBe(false);
    state.away = false;
    expect(isProblem(await send([payload('a', 30, 31)]))).toBe(true);
    expect(isProblem(await send([payload('a', 0, 30)]))).toBe(false);
  });

  it('is announced by a warning header from 80 % on', async () => {
    const { gateway, write } = open(100);
    write([payload('a', 0, 79)]);
    const below = gateway();
    await below.send([payload('a', 0, 1)]);
    expect(below.warning()).toBeUndefined();
    write([payload('a', 79, 80)]);
    const above = gateway();
    await above.send([payload('a', 0, 1)]);
    expect(above.warning()).toBe('active=80, limit=100');
  });
});
