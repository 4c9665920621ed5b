import { gunzipSync } from 'node:zlib';
import { openBodyTranslator } from '@tidewatch/gateway/agent-protocols/body-translator.fixture';
import { describe, expect, it } from 'vitest';
import { agentBodies, forHost, hostName } from './agent-bodies.ts';
import { countValues, nativeBody } from './native-body.ts';

const TIME = Date.parse('2026-11-28T12:00:00Z');
const INTERVAL_MS = 15_000;

describe.each(agentBodies())('bodies of $name', ({ form, body }) => {
  const translator = openBodyTranslator();
  const scrape = (round: number, host: string) =>
    translator.translate(
      form,
      forHost(body(round, TIME + round * INTERVAL_MS), host),
      TIME + round * INTERVAL_MS,
    );

  it('are of the host and time that they are made for', () => {
    const { payloads, points } = scrape(0, hostName('agent', 12));
    expect(points).toBeGreaterThan(80);
    expect(new Set(payloads.map(({ host }) => host))).toEqual(new Set(['a00012']));
    for (const { time } of payloads) expect(Math.abs(time - TIME)).toBeLessThanOrEqual(INTERVAL_MS);
  });

  it('have counters that grow, so that each later scrape gives the same series with rates of zero or more', () => {
    const counts = [1, 2, 3].map((round) => countValues(scrape(round, hostName('agent', 13)).payloads));
    expect(counts[2]).toBe(counts[1]);
    expect(counts[1]).toBeGreaterThanOrEqual(counts[0] as number);
    const { payloads } = scrape(4, hostName('agent', 13));
    for (const { metrics, values } of payloads)
      for (const [at, metric] of metrics.entries())
        if (metric.endsWith('_per_second')) expect(values[at]).toBeGreaterThanOrEqual(0);
  });

  it('have the same values in a native body', () => {
    scrape(5, hostName('agent', 14));
    const { payloads } = scrape(6, hostName('agent', 14));
    const { bytes, isCompressed } = nativeBody(payloads, 'n00014');
    expect(isCompressed).toBe(true);
    const sent = JSON.parse(gunzipSync(bytes).toString('utf8'));
    const numbers: unknown[] = [sent]
      .flat()
      .flatMap(({ metrics, parts = [] }) => [
        ...Object.values(metrics),
        ...parts.flatMap((part: object) => Object.values(part).filter((value) => typeof value === 'number')),
      ]);
    expect(numbers).toEqual(payloads.flatMap(({ values, parts }) => [...values, ...(parts?.values ?? [])]));
  });
});
