import { expect, it } from 'vitest';
import { investigationAfter } from './investigation-findings.ts';

const named = (title: string, score: number, id = `fnd_${title}`) => ({
  id,
  kind: 'process',
  title,
  score,
  service_id: 'svc_1',
  host: 'web-01',
  subject: { kind: 'process', name: title },
});
const event = (type: string, ...findings: object[]) =>
  ({
    type,
    data: { investigation: { id: 'inv_1', status: 'running', from: 'a', to: 'b' }, findings },
  }) as never;
const known = (status: string, findings: object[] = [], conclusion: string | null = null) =>
  ({ id: 'inv_1', status, conclusion, findings }) as never;
const titles = (investigation: ReturnType<typeof investigationAfter>) =>
  investigation?.findings.map(({ title }) => title);

it('adds the findings of a detector, the best first', () => {
  const after = investigationAfter(
    known('queued', [named('b', 0.5)]),
    event('investigation.progressed', named('a', 0.9), named('c', 0.1)),
  );
  expect(titles(after)).toEqual(['a', 'b', 'c']);
  expect(after).toMatchObject({ status: 'running', from: 'a', to: 'b' });
});

it('adds a finding once, whatever id it has', () => {
  const after = investigationAfter(
    known('running', [named('a', 0.9)]),
    event('investigation.progressed', named('a', 0.9, 'fnd_other')),
  );
  expect(titles(after)).toEqual(['a']);
});

it.each([
  ['of an investigation that has ended', known('completed'), 'investigation.progressed'],
  ['of a run after the first', known('running', [], 'inconclusive'), 'investigation.progressed'],
  ['that says more than findings', known('running'), 'investigation.completed'],
])('leaves an event %s to the next read', (_name, given, type) => {
  expect(investigationAfter(given, event(type, named('a', 0.9)))).toBeUndefined();
});
