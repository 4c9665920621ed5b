import { MINUTE_MS } from '@tidewatch/contracts/time/duration';
import { expect, it } from 'vitest';
import type { ChangeFacts } from '../facts.ts';
import { hostFacts, minutely, NOON, noise, source } from '../testing/host-facts.ts';
import { changes } from './changes.ts';

const change = (id: string, ago: number, given: Partial<ChangeFacts> = {}): ChangeFacts => ({
  kind: 'marker',
  id,
  at: NOON - ago * MINUTE_MS,
  title: id,
  tags: { version: '1.4.2' },
  source: source(id),
  hosts: [{ serviceId: 'svc_1', host: 'web-01' }],
  ...given,
});

it('a change before the trouble scores higher the closer it is to the start of the trouble', () => {
  const found = changes.detect(
    hostFacts({
      changes: [
        change('early', 60),
        change('late', 12),
        change('after', 3),
        change('elsewhere', 12, { hosts: [{ serviceId: 'svc_2', host: 'b' }] }),
      ],
    }),
  );
  expect(found.map(({ title }) => title.slice(0, 15))).toEqual([
    'Marker "late" a',
    'Marker "elsewhe',
    'Marker "early" ',
  ]);
  expect(found[0]?.subject).toEqual({ kind: 'tag', name: 'version=1.4.2' });
});

it.each([
  [['web-01'], 'Tags changed: "version"'],
  [['web-01', 'db-01'], 'Tags changed: "version"'],
  [['db-01'], 'Tags of db-01 changed: "version"'],
  [['db-01', 'db-02'], 'Tags of 2 other hosts changed: "version"'],
])('names whose tags changed where they are not those of the host: %j', (names, title) => {
  const hosts = names.map((host) => ({ serviceId: host === 'web-01' ? 'svc_1' : `svc_${host}`, host }));
  const found = changes.detect(
    hostFacts({
      changes: [
        {
          kind: 'tag',
          id: 'tags',
          at: NOON - 12 * MINUTE_MS,
          title: 'version',
          tags: { version: '2' },
          source: source('tags'),
          hosts,
        },
      ],
    }),
  );
  expect(found[0]?.title).toMatch(title);
});

it('a changed rule explains an alert of a metric that stayed as usual, and hardly one of a metric that rose', () => {
  const cpu = (busy: number) => minutely('cpu_percent', 180, (ago) => (ago < 10 ? busy : 22) + noise(ago));
  const scores = (busy: number, kind: ChangeFacts['kind']) =>
    changes
      .detect(hostFacts({ metrics: [cpu(busy)], changes: [change('limit', 12, { kind, tags: {} })] }))
      .map(({ score }) => score);
  expect(scores(22, 'rule')[0]).toBeGreaterThan(0.1);
  expect(scores(95, 'rule')[0]).toBeLessThan(0.01);
  expect(scores(95, 'marker')[0]).toBeGreaterThan(0.5);
});
