import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { describe, expect, it } from 'vitest';
import type { Facts } from '../facts.ts';
import type { FindingDraft } from '../finding.ts';
import { FROM, fleetFacts, type Shape, wobble } from '../fleet/testing/fleet-facts.ts';
import { slice } from '../statistics/slice.ts';
import { isPossibleCause } from './possible-cause.ts';

const calm: Shape = (minute) => 20 + wobble(1, minute);
const slow: Shape = (minute) => (minute >= 30 ? 80 : 20) + wobble(2, minute);
/** A rise within the usual range. */
const slight: Shape = (minute) => (minute >= 30 ? 20.4 : 20) + wobble(3, minute);

function suspected(own: Shape, peer: Shape, metric = 'latency_ms'): [Facts, FindingDraft] {
  const facts = fleetFacts({
    metric: 'latency_ms',
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

/** The same facts of hosts that were known for so many minutes before the window. */
function knownFor(minutes: number, facts: Facts): Facts {
  const first = FROM - minutes * MINUTE_MS;
  const metrics = facts.metrics.map((each) => ({ ...each, history: slice(each.history, first, facts.to) }));
  return { ...facts, metrics };
}

describe('a host that is suspected because it moved along', () => {
  it('may be named where its metric left its usual range', () => {
    expect(isPossibleCause(...suspected(slow, slow))).toBe(true);
  });

  it('is not named where its metric stayed in its usual range', () => {
    expect(isPossibleCause(...suspected(slow, slight))).toBe(false);
  });

  it('is not named for latency after little history, where the symptom probably did not change', () => {
    const [facts, finding] = suspected(calm, slow);
    expect(isPossibleCause(knownFor(20, facts), finding)).toBe(false);
    expect(isPossibleCause(facts, finding)).toBe(true);
    const [changed] = suspected(slow, slow);
    expect(isPossibleCause(knownFor(20, changed), finding)).toBe(true);
  });

  it('may be named for a resource all the same', () => {
    const [facts, finding] = suspected(calm, slow, 'cpu_percent');
    expect(isPossibleCause(knownFor(20, facts), finding)).toBe(true);
  });
});
