import { describe, expect, it } from 'vitest';
import type { FindingDraft } from '../finding.ts';
import { fleetFacts, type Shape, wobble } from '../fleet/testing/fleet-facts.ts';
import { isUnequalled } from './unequalled.ts';

const calm: Shape = (minute) => 0.02 + 0.002 * wobble(1, minute);
/** Processors that are used up for the last half of the window, as a share of one. */
const used: Shape = (minute) => (minute >= 20 ? 1 : 0.02) + 0.002 * wobble(2, minute);
/** The same for minutes of the past. */
const before =
  (length: number): Shape =>
  (minute) =>
    minute >= -60 && minute < length - 60 ? 1 : calm(minute);

function unequalled(db: Shape, other: Shape, metric = 'cpu_cores'): boolean {
  const facts = fleetFacts({
    metric: 'latency_ms',
    own: (minute) => 20 + wobble(3, minute),
    peers: [
      { host: 'db', metrics: { [metric]: db } },
      { host: 'other', metrics: { cpu_cores: other } },
    ],
  });
  return isUnequalled(facts, { serviceId: 'svc_db', metric } as FindingDraft);
}

describe('a resource that left its usual range', () => {
  it('is unequalled where nothing was nearly as far from its range before', () => {
    expect(unequalled(used, calm)).toBe(true);
  });

  it('is unequalled where another resource of its host is', () => {
    const slightly: Shape = (minute) => (minute >= 20 ? 1.3 : 1) + 0.01 * wobble(4, minute);
    const facts = fleetFacts({
      metric: 'latency_ms',
      own: (minute) => 20 + wobble(3, minute),
      peers: [{ host: 'db', metrics: { cpu_cores: used, memory_bytes: slightly } }],
    });
    const memory = { serviceId: 'svc_db', metric: 'memory_bytes' } as FindingDraft;
    expect(isUnequalled(facts, memory)).toBe(true);
  });

  it('is not where another host was as far away for three minutes before', () => {
    expect(unequalled(used, before(3))).toBe(false);
  });

  it('is not where it went as far for two minutes itself', () => {
    expect(unequalled((minute) => (minute < 0 ? before(2)(minute) : used(minute)), calm)).toBe(false);
  });

  it('is not where it has come back', () => {
    expect(unequalled((minute) => (minute < 38 ? used(minute) : calm(minute)), calm)).toBe(false);
  });

  it('is not where it is on for fewer than five values', () => {
    expect(unequalled((minute) => (minute < 36 ? calm(minute) : used(minute)), calm)).toBe(false);
  });

  it('is not where it left its range by less than two ranges', () => {
    expect(unequalled((minute) => (minute >= 20 ? 0.024 : calm(minute)), calm)).toBe(false);
  });

  it('is not where it is no resource of the host itself', () => {
    expect(unequalled(used, calm, 'latency_ms')).toBe(false);
    expect(unequalled(used, calm, 'network_bytes')).toBe(false);
  });
});
