import { expect, it } from 'vitest';
import { MAX_VISITED, parseVisited, type Visited, visitedAfter } from './visited.ts';

const visit = (id: string, name = id): Visited => ({ page: 'host', id, name });

it('has the newest visit first, each object once, and a bounded number', () => {
  const many = Array.from({ length: MAX_VISITED }, (_, index) => visit(`svc_${index}`));
  const visited = visitedAfter(many, visit('svc_3', 'renamed'));
  expect(visited).toHaveLength(MAX_VISITED);
  expect(visited[0]).toEqual(visit('svc_3', 'renamed'));
  expect(visitedAfter(many, visit('svc_new')).at(-1)).toEqual(visit(`svc_${MAX_VISITED - 2}`));
});

it('reads the visits of the same organization alone', () => {
  const stored = JSON.stringify({ organization: 'org_1', visited: [visit('svc_1')] });
  expect(parseVisited(stored, 'org_1')).toEqual([visit('svc_1')]);
  expect(parseVisited(stored, 'org_2')).toEqual([]);
});

it.each([null, '', '{', '[]', '{"organization":"org_1","visited":[{"page":"key","id":"k","name":"k"},1]}'])(
  'reads no visits from %s',
  (stored) => {
    expect(parseVisited(stored, 'org_1')).toEqual([]);
  },
);
