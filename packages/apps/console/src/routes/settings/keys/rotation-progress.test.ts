import { expect, it } from 'vitest';
import { rotationProgress } from './rotation-progress.ts';

const at = (minute: number) => `2026-11-26T12:${String(minute).padStart(2, '0')}:00.000Z`;
const used = (hosts: Record<string, number>) =>
  Object.entries(hosts).map(([host, minute]) => ({ host, last_used_at: at(minute) }));

it('hosts have moved, remain on the former key, or have been silent since the rotation', () => {
  const former = { recent_hosts: used({ moved: 12, remaining: 20, back: 25, silent: 5 }) };
  const successor = { created_at: at(10), recent_hosts: used({ moved: 13, back: 15, added: 16 }) };
  expect(rotationProgress(former, successor)).toEqual({
    moved: ['moved', 'added'],
    remaining: used({ remaining: 20, back: 25 }),
    silent: used({ silent: 5 }),
  });
});

it('a host that used both keys in the same minute has moved', () => {
  const former = { recent_hosts: used({ a: 12 }) };
  const successor = { created_at: at(10), recent_hosts: used({ a: 12 }) };
  expect(rotationProgress(former, successor).moved).toEqual(['a']);
});

it('a rotation without hosts has no progress', () => {
  expect(rotationProgress({ recent_hosts: [] }, { created_at: at(10), recent_hosts: [] })).toEqual({
    moved: [],
    remaining: [],
    silent: [],
  });
});
