import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { describe, expect, it } from 'vitest';
import type { Facts } from '../facts.ts';
import type { FindingDraft } from '../finding.ts';
import { FROM, fleetFacts, type Shape, wobble } from '../fleet/testing/fleet-facts.ts';
import { investigate } from '../investigate.ts';
import { slice } from '../statistics/slice.ts';
import { hostFacts, minutely, noise } from '../testing/host-facts.ts';
import { isPossibleCause } from './possible-cause.ts';

/** Swings that are a little wider in the window, as those of a busy minute. */
const uneven: Shape = (minute) => 20 + (minute >= 30 ? 2.5 : 1) * wobble(1, minute);
const slow: Shape = (minute) => (minute >= 30 ? 80 : 20) + wobble(2, minute);
/** A rise within the usual range. */
const slight: Shape = (minute) => (minute >= 30 ? 20.4 : 20) + wobble(3, minute);

function suspected(
  own: Shape,
  peer: Shape,
  metric = 'latency_ms',
  alerting = 'latency_ms',
): [Facts, FindingDraft] {
  const facts = fleetFacts({
    metric: alerting,
    own,
    peers: [{ host: 'db', metrics: { [metric]: peer } }],
  });
  const finding = {
    serviceId: 'svc_db',
    host: 'db',
    kind: 'metric_shift',
    detector: 'suspect-hosts',
    metric,
    subject: { kind: 'host', name: 'db' },
  } as FindingDraft;
  return [facts, finding];
}

/** The same facts with so many minutes of history before the window, of all hosts. */
function withHistoryOf(minutes: number, facts: Facts): Facts {
  const first = FROM - minutes * MINUTE_MS;
  const metrics = facts.metrics.map((each) => ({
    ...each,
    history: slice(each.history, first, facts.to),
    before: slice(each.before, first, facts.from),
  }));
  const peers = facts.peers.map((peer) => ({
    ...peer,
    metrics: peer.metrics.map((each) => ({ ...each, recent: slice(each.recent, first, facts.to) })),
  }));
  return { ...facts, metrics, peers };
}

describe('a host that is suspected because it moved along', () => {
  it('may be named where its metric left its usual range', () => {
    expect(isPossibleCause(...suspected(slow, slow))).toBe(true);
  });

  it('is not named where its metric stayed in its usual range', () => {
    expect(isPossibleCause(...suspected(slow, slight))).toBe(false);
  });

  it('is not named after so little history that no usual range is known', () => {
    const early: Shape = (minute) => (minute >= 5 ? 80 : 20) + wobble(2, minute);
    const [facts, finding] = suspected(early, early);
    expect(isPossibleCause(withHistoryOf(20, facts), finding)).toBe(false);
    expect(isPossibleCause(withHistoryOf(100, facts), finding)).toBe(true);
  });
});

describe('a host at the limit of a resource', () => {
  const named = (metric: string, minutes: number) => {
    const facts = withHistoryOf(minutes, fleetFacts({ metric, own: slow, peers: [] }));
    const { serviceId, host } = facts.service;
    const finding = { serviceId, host, kind: 'saturation', detector: 'saturation', metric };
    return isPossibleCause(facts, { ...finding, subject: { kind: 'host', name: host } } as FindingDraft);
  };

  it('is named by a rate at its highest only where thirty values from before the window are known', () => {
    expect(named('network_receive_bytes', 20)).toBe(false);
    expect(named('network_receive_bytes', 40)).toBe(true);
  });

  it('is named by a percentage that is nearly full, however little is known', () => {
    expect(named('disk_percent', 20)).toBe(true);
  });
});

describe('after little history', () => {
  const busy: Shape = (minute) => (minute >= 30 ? 90 : 20) + wobble(4, minute);
  const verdict = (own: Shape, minutes: number) =>
    investigate(withHistoryOf(minutes, suspected(own, busy, 'cpu_percent')[0]));

  it('a busy host comes first after fewer than 30 values, and is not named', () => {
    const early =
      (quiet: number, much: number): Shape =>
      (minute) =>
        (minute >= 5 ? much : quiet) + wobble(quiet, minute);
    const facts = suspected(early(21, 80), early(20, 90), 'cpu_percent')[0];
    const [few, enough] = [15, 60].map((minutes) => investigate(withHistoryOf(minutes, facts)));
    expect(few).toMatchObject({ conclusion: 'inconclusive', inconclusiveReason: 'too_little_history' });
    expect(enough).toMatchObject({ conclusion: 'root_cause_found' });
    const first = { host: 'db', metric: 'cpu_percent' };
    expect(few?.findings[0]).toMatchObject({ ...first, possibleCause: false });
    expect(enough?.findings[0]).toMatchObject({ ...first, possibleCause: true });
  });

  it('values of the window are no history, however late the symptom changed in it', () => {
    expect(verdict(slow, 25)).toMatchObject({
      conclusion: 'inconclusive',
      inconclusiveReason: 'too_little_history',
    });
    expect(verdict(slow, 35)).toMatchObject({ conclusion: 'root_cause_found' });
  });

  it('a busy host is named where the symptom changed', () => {
    expect(verdict(slow, 50)).toMatchObject({ conclusion: 'root_cause_found' });
  });

  it('a host that is far busier than any was before is named where the symptom probably did not change', () => {
    expect(verdict(uneven, 50)).toMatchObject({
      conclusion: 'root_cause_found',
      findings: [{ host: 'db', metric: 'cpu_percent' }],
    });
  });

  it('a busy host is not named where the symptom probably did not change and it was as busy before', () => {
    const again: Shape = (minute) => (minute >= -12 && minute < -8 ? 85 : busy(minute));
    const facts = suspected(uneven, again, 'cpu_percent')[0];
    expect(investigate(withHistoryOf(50, facts))).toMatchObject({
      conclusion: 'inconclusive',
      inconclusiveReason: 'too_little_history',
    });
    expect(investigate(withHistoryOf(110, facts))).toMatchObject({ conclusion: 'root_cause_found' });
  });

  it('a host is not named for moving along with a symptom that is on for fewer than ten values', () => {
    const since =
      (begin: number): Shape =>
      (minute) =>
        (minute >= begin ? 80 : 20) + wobble(begin, minute);
    const named = (begin: number, minutes: number) =>
      investigate(withHistoryOf(minutes, suspected(since(begin), since(begin))[0])).rootCause;
    expect(named(33, 50)).toBeNull();
    expect(named(26, 50)).toBe(0);
    expect(named(33, 110)).toBe(0);
  });
});

describe('a host that moved along by a metric of which the name says nothing', () => {
  const [facts, finding] = suspected(slow, slow, 'm1', 'm1');

  it('may be named where its history is known', () => {
    expect(isPossibleCause(withHistoryOf(110, facts), finding)).toBe(true);
  });

  it('is not named after little history, since it may be an effect there too', () => {
    expect(isPossibleCause(withHistoryOf(50, facts), finding)).toBe(false);
  });
});

describe('a metric of a host that is in question without a metric', () => {
  const changed = (metric: string, from: number, to: number) => {
    const shape = (ago: number) => (ago < 10 ? to : from) * (1 + 0.05 * noise(ago));
    const facts = hostFacts({ metric: null, alert: null, metrics: [minutely(metric, 180, shape)] });
    return investigate(facts);
  };

  it.each([
    ['error_rate', 0.2, 5],
    ['availability', 99, 40],
    ['requests_per_second', 90, 5],
  ])('may be named where %s went from %d to %d', (metric, from, to) => {
    expect(changed(metric, from, to)).toMatchObject({
      conclusion: 'root_cause_found',
      findings: [{ metric }],
    });
  });

  it.each([
    ['error_rate', 5, 0.2],
    ['latency_ms', 90, 5],
    ['availability', 40, 99],
  ])('is not named where %s improved from %d to %d', (metric, from, to) => {
    const verdict = changed(metric, from, to);
    expect(verdict).toMatchObject({
      conclusion: 'inconclusive',
      findings: [{ metric, possibleCause: false }],
    });
  });
});
