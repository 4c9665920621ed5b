import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { describe, expect, it } from 'vitest';
import type { Facts, MetricFacts, Series } from '../facts.ts';
import { investigate } from '../investigate.ts';
import { hostFacts, metricFacts, minutely, minutes, NOON, noise } from '../testing/host-facts.ts';
import { tooLittleHistory } from './too-little-history.ts';

/** Facts of a host whose processor use was 22 % for `calm` minutes and has been 98 % for `busy` minutes. */
function young(calm: number, busy: number, before: Series = minutes(0, () => 0)): Facts {
  const known = minutes(calm + busy, (ago) => (ago < busy ? 98 : 22) + 0.5 * noise(ago));
  const series: Series = {
    times: Float64Array.from([...before.times, ...known.times]),
    values: Float64Array.from([...before.values, ...known.values]),
  };
  const pendingSince = NOON - busy * MINUTE_MS;
  const facts = hostFacts();
  return {
    ...facts,
    alert: facts.alert && { ...facts.alert, pendingSince, firedAt: pendingSince },
    metrics: [metricFacts('cpu_percent', series), minutely('memory_percent', calm + busy, () => 40)],
    payloadTimes: series.times,
  };
}

/** Facts of a host that was calm for three hours and then silent for five. */
const back = (calm: number, busy: number) =>
  young(calm, busy, {
    times: Float64Array.from({ length: 180 }, (_, i) => NOON - 480 * MINUTE_MS + i * MINUTE_MS),
    values: Float64Array.from({ length: 180 }, (_, i) => 22 + noise(i)),
  });

describe('the description of a metric by the amount of its history', () => {
  it.each<[string, Facts, RegExp, boolean]>([
    [
      'no minute before the trouble',
      young(0, 1),
      /too little history .* no value is known from before/,
      true,
    ],
    ['one minute before it', young(1, 1), /too little history .*: 1 value over 1 minute is known/, true],
    ['two minutes before it', young(2, 2), /2 values .* 5 values a minute apart are needed/, true],
    ['three minutes before it', young(3, 3), /It went from 2\d.* to 9\d.*; its last value is 9/, true],
    ['three minutes before it, and ten in all', young(3, 9), /rose from 2[12].* to 9[78]/, false],
    ['one minute before it, and ten in all', young(1, 12), /too little history/, false],
    ['five minutes before it', young(6, 3), /rose from 2[12].* to 9[78]/, false],
    ['three minutes since it came back, and hours before', back(3, 2), /rose from 2[12].* to 9[78]/, false],
  ])('%s', (_case, facts, said, again) => {
    const verdict = investigate(facts);
    expect(verdict.summary).toMatch(said);
    expect(verdict.summary).not.toMatch(/did not move|lies within what this metric usually does/);
    expect(verdict.enoughAt !== null).toBe(again);
  });

  it('does not describe other metrics as usual if as little is known of them', () => {
    expect(investigate(young(3, 3)).summary).not.toContain('As usual');
    expect(investigate(young(20, 3)).summary).toContain('As usual on web-01: memory_percent');
  });

  it('states the reported value, not the mean of the minute in which the metric rose', () => {
    const facts = young(3, 1);
    const [cpu] = facts.metrics;
    const mixed = { times: cpu?.history.times, values: Float64Array.from([22, 22, 22, 37.2]) } as Series;
    const samples = { times: mixed.times, values: Float64Array.from([22, 22, 22, 98]) };
    const metrics = [{ ...(cpu as MetricFacts), history: mixed, recent: samples }];
    expect(investigate({ ...facts, metrics }).summary).toContain('It went from 22 % to 98 %');
  });

  it('states one value where all that is known are the same', () => {
    const facts = young(1, 1);
    const [cpu] = facts.metrics;
    const series = { times: cpu?.history.times, values: Float64Array.from([93.5, 93.5]) } as Series;
    const metrics = [{ ...(cpu as MetricFacts), history: series, recent: series }];
    expect(investigate({ ...facts, metrics }).summary).toContain('It was 93.5 % in all that is known.');
  });

  it('neither calls the threshold wrong nor recommends another one', () => {
    const { recommendations, detailsMarkdown } = investigate(young(3, 3));
    expect(recommendations).toEqual([]);
    expect(detailsMarkdown).toContain('too little history');
  });

  it('states when there will be enough history: ten minutes after the first value, and a minute from now at least', () => {
    expect(tooLittleHistory(young(3, 3))?.enoughAt).toBe(NOON + 5 * MINUTE_MS);
    expect(tooLittleHistory(young(5, 4))?.enoughAt ?? NOON).toBeGreaterThanOrEqual(NOON);
  });

  it('has no usual value for a metric that is not stored', () => {
    const { summary } = investigate({ ...young(3, 3), metric: 'load_1' });
    expect(summary).toContain('No values of load_1 of web-01 are stored');
    expect(investigate({ ...young(3, 3), metric: 'host.silent_minutes', metrics: [] }).summary).toContain(
      'web-01 stopped sending.',
    );
  });
});
