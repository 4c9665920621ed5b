import { expect, test } from 'vitest';
import { OFFLINE_METRIC, suppressionOf, TOLD_WITHIN_MS } from './suppression.ts';

const alert = { backfilled: false, shadow: false, silenced_by: null, metric: 'cpu_percent' };
const told = { alert, age: 0, hostOffline: false, quiet: false };

test.each([
  ['nothing stands against it', told, null],
  ['of a rule that is tried out', { ...told, alert: { ...alert, shadow: true } }, 'shadow'],
  ['of the past', { ...told, alert: { ...alert, backfilled: true } }, 'backfilled'],
  ['a day old', { ...told, age: TOLD_WITHIN_MS + 1 }, 'too_old'],
  ['silenced', { ...told, alert: { ...alert, silenced_by: 'sil_1' } }, 'silenced'],
  ['of a host that is offline', { ...told, hostOffline: true }, 'host_offline'],
  [
    'that the host is offline itself',
    { ...told, hostOffline: true, alert: { ...alert, metric: OFFLINE_METRIC } },
    null,
  ],
  ['of a stream that flaps', { ...told, quiet: true }, 'flapping'],
  [
    'silenced on a host that is offline',
    { ...told, hostOffline: true, alert: { ...alert, silenced_by: 'sil_1' } },
    'silenced',
  ],
] as const)('%s', (_name, facts, expected) => {
  expect(suppressionOf(facts)).toBe(expected);
});
