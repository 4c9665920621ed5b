import { CHANNEL_KIND_FACTS } from '@tidewatch/contracts/channels/kinds/channel-kinds';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { admit, answered, failed, newPace, type Pace, waitOf } from './pacing.ts';

const NOW = 1_000_000;

describe('the rate of a destination', () => {
  test('an idle destination accepts a burst, then the configured number of messages a second', () => {
    const { burst, perSecond } = CHANNEL_KIND_FACTS.slack.pace;
    const first = admit(newPace('slack', NOW), 'slack', NOW, 100);
    expect(first.count).toBe(burst);
    expect(admit(first.pace, 'slack', NOW, 100).count).toBe(0);
    expect(waitOf(first.pace, 'slack', NOW)).toBe(1_000 / perSecond);
    expect(admit(first.pace, 'slack', NOW + 1_000, 100).count).toBe(perSecond);
  });

  test('at any time, no more messages are admitted than the burst and the rate allow', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('slack', 'email', 'webhook', 'pagerduty'),
        fc.array(fc.tuple(fc.nat(5_000), fc.nat(30)), { maxLength: 50 }),
        (kind, asks) => {
          let pace = newPace(kind, NOW);
          let now = NOW;
          let admitted = 0;
          for (const [pause, wanted] of asks) {
            now += pause;
            const { count, pace: next } = admit(pace, kind, now, wanted);
            admitted += count;
            pace = next;
          }
          const { burst, perSecond } = CHANNEL_KIND_FACTS[kind].pace;
          expect(admitted).toBeLessThanOrEqual(burst + (perSecond * (now - NOW)) / 1_000 + 1e-6);
        },
      ),
    );
  });
});

describe('the circuit breaker of a destination', () => {
  const failing = (times: number): Pace => {
    let pace = newPace('webhook', NOW);
    for (let n = 0; n < times; n += 1) pace = failed(pace, NOW, null);
    return pace;
  };

  test('stays closed after four failures', () => {
    expect(admit(failing(4), 'webhook', NOW, 10).count).toBe(10);
  });

  test('opens after five consecutive failures, and then admits one probe message', () => {
    const open = failing(5);
    expect(admit(open, 'webhook', NOW + 2_999, 10).count).toBe(0);
    const probe = admit(open, 'webhook', NOW + 3_000, 10);
    expect(probe.count).toBe(1);
    expect(admit(probe.pace, 'webhook', NOW + 3_001, 10).count).toBe(0);
  });

  test('pauses longer after each failure, up to a minute', () => {
    expect(waitOf(failing(6), 'webhook', NOW)).toBe(6_000);
    expect(waitOf(failing(50), 'webhook', NOW)).toBe(60_000);
  });

  test('closes after a response', () => {
    expect(admit(answered(failing(50), NOW), 'webhook', NOW, 10).count).toBe(10);
  });

  test('pauses for as long as the destination asks', () => {
    const pace = failed(newPace('webhook', NOW), NOW, 20_000);
    expect(waitOf(pace, 'webhook', NOW)).toBe(20_000);
    expect(waitOf(failed(pace, NOW, 5_000), 'webhook', NOW)).toBe(20_000);
    expect(waitOf(answered(pace, NOW), 'webhook', NOW + 20_000)).toBe(0);
  });
});
