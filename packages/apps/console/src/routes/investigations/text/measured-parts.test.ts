import { expect, it } from 'vitest';
import type { Evidence, Finding } from '../investigation-reads.ts';
import {
  evidenceIn,
  evidenceOfFindings,
  evidenceWith,
  measuredParts,
  numberPattern,
} from './measured-parts.ts';

const A = `evd_${'a'.repeat(32)}`;
const B = `evd_${'b'.repeat(32)}`;
const piece = (id: string, stats: Evidence['stats'], points: Evidence['points'] = []): Evidence => ({
  id,
  query: '',
  from: '2026-11-26T03:00:00.000Z',
  to: '2026-11-26T04:00:00.000Z',
  stats,
  points,
});
const cpu = piece(A, { usual_median: 20.049, correlation: 0.9821, memory: 1.5 * 2 ** 30 });
const peers = piece(B, { hosts_compared: 24, started_at: '2026-11-26T03:01:00.000Z' });
const evidence = new Map([cpu, peers].map((each) => [each.id, each]));

/** The parts as text, with the evidence of numbers behind them: `20 %→a`. */
function spelled(text: string, names: readonly string[] = [], evidenceOf = evidenceIn([cpu, peers])): string {
  return measuredParts(text, evidenceOf, { evidence, pattern: numberPattern(names) })
    .map((part) => {
      if (part.kind === 'words') return part.text;
      const id = part.evidenceId === A ? 'a' : 'b';
      return part.kind === 'number' ? `{${part.text}→${id}}` : `[${id}]`;
    })
    .join('');
}

it.each([
  ['a value with its unit', 'It was 20.05 % before.', 'It was {20.05 %→a} before.'],
  ['a count in another piece', '24 hosts were compared.', '{24→b} hosts were compared.'],
  ['a time', 'It changed at 03:01 UTC.', 'It changed at {03:01 UTC→b}.'],
  ['bytes', 'It takes 1.5 GiB of memory.', 'It takes {1.5 GiB→a} of memory.'],
  ['a number at the end of a sentence', 'The correlation is 0.98.', 'The correlation is {0.98→a}.'],
  ['a range', '20 to 24 values', '{20→a} to {24→b} values'],
])('links %s', (_name, text, parts) => {
  expect(spelled(text)).toBe(parts);
});

it('takes a number that no piece has for one of the first piece', () => {
  expect(spelled('It swung 7 times as much.')).toBe('It swung {7→a} times as much.');
});

it.each([
  ['names with digits', 'load_1 of web-01 rose', []],
  ['addresses', '10.0.0.5 fell silent', []],
  ['what is quoted', 'Process "job 24" appeared', []],
  ['names that are known', 'rack 24 moved', ['rack 24']],
  ['ids', 'see alr_24 and v24', []],
])('leaves %s alone', (_name, text, names) => {
  expect(spelled(text, names)).toBe(text);
});

it('leaves a number alone that only pieces without it could explain, where asked to', () => {
  expect(spelled('above 90 %, 24 hosts', [], evidenceWith([cpu, peers]))).toBe('above 90 %, {24→b} hosts');
});

it('takes the numbers of a claim from the evidence that the model cites, and links the citations', () => {
  expect(spelled(`It rose to 24. [${A}] [${B}] Then 7 more. [${A}]`)).toBe(
    'It rose to {24→b}. [a] [b] Then {7→a} more. [a]',
  );
});

it('shows a citation of evidence that is not there as it is spelled', () => {
  const gone = `evd_${'c'.repeat(32)}`;
  expect(spelled(`It rose. [${gone}]`)).toBe(`It rose. [${gone}]`);
});

it('finds a number of the analysis in the finding that it repeats, titles before descriptions', () => {
  const finding = (title: string, description: string, id: string, score = 0.5) =>
    ({ title, description, score, evidence_ids: [id] }) as unknown as Finding;
  const findings = [finding('x', 'from 20 % on', A), finding('rose to 20 %', 'y', B, 0.12)];
  const evidenceOf = evidenceOfFindings(findings, evidence);
  expect([evidenceOf('20 %'), evidenceOf('0.12'), evidenceOf('99 %')]).toEqual([B, B, null]);
});
