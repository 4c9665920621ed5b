import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { describe, expect, it } from 'vitest';
import { alertingMetric } from '../detectors/alerting-metric.ts';
import { processes } from '../detectors/uses.ts';
import type { Series } from '../facts.ts';
import type { Shift } from '../outlook.ts';
import { hostFacts, metricFacts, minutes, NOON, noise, snapshots, use } from '../testing/host-facts.ts';
import { episodeOf } from './episode.ts';
import { shiftOf } from './shift.ts';

/** Minutes before noon in which the metric was high: three bursts with calm time between them. */
const BURSTS = [
  ['first', 14, 11],
  ['second', 9, 6],
  ['third', 4, 0],
] as const;
const burning = (ago: number) => BURSTS.find(([, from, to]) => ago < from && ago >= to);
const history = minutes(180, (ago) => (burning(ago) ? 90 : 20) + noise(ago));
const at = (ago: number) => NOON - ago * MINUTE_MS;

function shiftIn(series: Series): Shift {
  const shift = shiftOf(metricFacts('cpu_percent', series), { to: NOON, doubtFrom: at(25) });
  if (shift === null) throw new Error('there is a shift');
  return shift;
}

describe('the episode of a trouble that came and went', () => {
  const shift = shiftIn(history);

  it('is the stretch of high values in which the trouble was noticed', () => {
    expect(shift.startedAt).toBe(at(14));
    expect(episodeOf(history, shift, at(2), NOON)).toEqual({ from: at(4), to: NOON });
    expect(episodeOf(history, shift, at(8), NOON)).toEqual({ from: at(9), to: at(6) });
    expect(episodeOf(history, shift, at(13), NOON)).toEqual({ from: at(14), to: at(11) });
  });

  it('begins one minute after the trouble was noticed, if that minute is the first high one', () => {
    expect(episodeOf(history, shift, at(5), NOON)).toEqual({ from: at(4), to: NOON });
  });

  it('is the whole trouble if the trouble never ended, climbs, or was noticed in a calm minute', () => {
    const steady = minutes(180, (ago) => (ago < 10 ? 90 : 20) + noise(ago));
    expect(episodeOf(steady, shiftIn(steady), at(2), NOON)).toEqual({ from: at(10), to: NOON });
    const climbing = { ...shift, shape: 'ramp' as const };
    expect(episodeOf(history, climbing, at(2), NOON)).toEqual({ from: at(14), to: NOON });
    const quiet = minutes(180, (ago) => (ago >= 11 && ago < 14 ? 90 : 20) + noise(ago));
    expect(episodeOf(quiet, shift, at(8), NOON)).toEqual({ from: at(14), to: NOON });
    expect(episodeOf({ times: new Float64Array(), values: new Float64Array() }, shift, at(8), NOON)).toEqual({
      from: at(14),
      to: NOON,
    });
  });
});

describe('programs that took the processor one after another', () => {
  const about = (nth: number) => {
    const [, from, to] = BURSTS[nth] as (typeof BURSTS)[number];
    const { alert, ...facts } = hostFacts({
      metrics: [metricFacts('cpu_percent', history)],
      snapshots: snapshots(120, (ago) => ({
        processes: [
          use('nginx', 6 + noise(ago, 3)),
          ...(burning(ago) ? [use(burning(ago)?.[0] ?? '', 140)] : []),
        ],
      })),
    });
    if (alert === null) throw new Error('there is an alert');
    const end = Math.max(0, to - 1);
    return { ...facts, to: at(end), alert: { ...alert, pendingSince: at(from), firedAt: at(from - 1) } };
  };

  it.each([0, 1, 2])('each alert names the program of its own burst, burst %i', (nth) => {
    const [best, ...others] = processes.detect(about(nth));
    expect(best?.subject.name).toBe(BURSTS[nth]?.[0]);
    expect(best?.score).toBeGreaterThan(0.8);
    expect(others).toEqual([]);
  });

  it('reports since when a metric is back at its usual level', () => {
    const [found] = alertingMetric.detect(about(2));
    expect(found?.description).toContain('it changed at 11:46 UTC');
    expect(found?.description).toContain('It came back in between and is away again since 11:56 UTC.');
    expect(alertingMetric.detect(about(0))[0]?.description).not.toContain('in between');
  });

  it('a process that causes every burst is described over all bursts', () => {
    const facts = {
      ...about(2),
      snapshots: snapshots(120, (ago) => ({ processes: [use('worker', burning(ago) ? 140 : 3)] })),
    };
    const [best] = processes.detect(facts);
    expect(best?.score).toBeGreaterThan(0.8);
    expect(best?.startedAt).toBe(at(14));
  });
});
