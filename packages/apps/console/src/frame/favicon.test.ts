import { expect, it } from 'vitest';
import { type IconStatus, iconAddress, worstStatus } from './favicon.ts';

type Counts = Parameters<typeof worstStatus>[0];

const counts = (critical: number, warning: number, hosts: object = {}) =>
  ({
    alerts: { critical: { total: critical }, warning: { total: warning } },
    services: { critical: 0, offline: 0, degraded: 0, ...hosts },
  }) as unknown as Counts;

it.each<[string, Counts, boolean, IconStatus]>([
  ['a critical alert', counts(1, 3), true, 'critical'],
  ['a critical host', counts(0, 0, { critical: 1, offline: 1 }), true, 'critical'],
  ['an offline host beside a warning', counts(0, 1, { offline: 1 }), true, 'offline'],
  ['a warning', counts(0, 1), true, 'degraded'],
  ['nothing wrong', counts(0, 0), true, 'healthy'],
  ['a page that is not current', counts(0, 0), false, 'unknown'],
  ['nothing read yet', undefined, true, 'unknown'],
])('the icon of the tab shows the worst status of %s', (_name, summary, isCurrent, status) => {
  expect(worstStatus(summary, isCurrent)).toBe(status);
});

it('is the shape of the status in its colour', () => {
  const svg = decodeURIComponent(iconAddress('offline', 'rgb(1, 2, 3)').replace('data:image/svg+xml,', ''));
  expect(svg).toContain('stroke="rgb(1, 2, 3)"');
  expect(decodeURIComponent(iconAddress('critical', 'red'))).toContain('fill="red"');
});
