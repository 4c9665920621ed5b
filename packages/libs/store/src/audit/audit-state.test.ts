import { expect, it } from 'vitest';
import { auditStates, MAX_STATE_BYTES } from './audit-state.ts';

it('an audit record of a change contains the fields that differ', () => {
  const before = { name: 'a', threshold: 1, scope: { hosts: ['x', 'y'] }, version: 1 };
  const after = { ...before, scope: { hosts: ['x', 'y'] }, threshold: 2, runbook: 'new', version: 2 };
  expect(auditStates(before, after)).toEqual({
    before: { threshold: 1, version: 1 },
    after: { threshold: 2, version: 2, runbook: 'new' },
  });
});

it('an audit record contains all fields of a created or deleted object', () => {
  const state = { name: 'a', threshold: 1, nothing: null };
  expect(auditStates(null, state)).toEqual({ before: null, after: state });
  expect(auditStates(state, null)).toEqual({ before: state, after: null });
});

it('an audit record of a state that is too large contains the fields that fit, in order, and names the others', () => {
  const hosts = Array.from({ length: 100 }, (_, index) => `${index}`.padEnd(200, 'é'));
  const { after } = auditStates(null, { name: 'a', scope: { hosts }, threshold: 1 });
  expect(after).toEqual({ name: 'a', threshold: 1, _truncated: { bytes: 40_156, fields: ['scope'] } });
  const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`field-${index}`, index]));
  const cut = JSON.stringify(auditStates(null, many).after);
  expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(MAX_STATE_BYTES);
});

it('an audit record of a large change contains both states, truncated', () => {
  const big = (letter: string) => ({ text: letter.repeat(20_000), version: letter });
  const { before, after } = auditStates(big('a'), big('b'));
  expect(before).toMatchObject({ version: 'a', _truncated: { fields: ['text'] } });
  expect(after).toMatchObject({ version: 'b', _truncated: { fields: ['text'] } });
});
