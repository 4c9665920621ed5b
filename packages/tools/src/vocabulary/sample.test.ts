import { expect, test } from 'vitest';
import { drawSample, type Passage, passagesOf } from './sample.ts';

const SOURCE = `/**
 * Retries until
 * it succeeds.
 */
export function retry(): void {
  // Waits for the database.
  logger.warn({ err: error }, 'the database is unavailable; retrying');
  throw new ConfigError('The setting is not usable.');
}
`;

test('finds comments, log lines and error texts of a source with their lines', () => {
  expect(passagesOf(SOURCE, 'a.ts')).toEqual([
    { kind: 'comment', text: 'Retries until it succeeds.', at: 'a.ts:1' },
    { kind: 'comment', text: 'Waits for the database.', at: 'a.ts:6' },
    { kind: 'log', text: 'the database is unavailable; retrying', at: 'a.ts:7' },
    { kind: 'error', text: 'The setting is not usable.', at: 'a.ts:8' },
  ]);
});

test('leaves out texts that are codes, names or values alone', () => {
  const source = `throw new ApiError('ingest_unavailable_now');
throw new Error(\`embedded \${version}\`);
throw new Error(\`\${count} samples are missing\`);
`;
  expect(passagesOf(source, 'a.ts').map(({ text }) => text)).toEqual([`\${count} samples are missing`]);
});

test('finds the titles of tests with those of their suites, also of tests with a table or a condition', () => {
  const tests = `test('the first title of all', () => {});
describe('a suite', () => {
  it.each([1, 2])('the title of row %i', () => {});
  it.skipIf(a).each([b])(\n    'the title of a skipped row', () => {});
});`;
  expect(passagesOf(tests, 'a.test.ts').map(({ text }) => text)).toEqual([
    'the first title of all',
    'a suite > the title of row %i',
    'a suite > the title of a skipped row',
  ]);
});

test('draws the same sample for the same seed, and another one for another seed', () => {
  const passages = Array.from({ length: 500 }, (_, index): Passage => {
    return { kind: 'comment', text: `comment ${index}`, at: `a.ts:${index}` };
  });
  expect(drawSample(passages, 7)).toHaveLength(60);
  expect(drawSample(passages, 7)).toEqual(drawSample(passages, 7));
  expect(drawSample(passages, 8)).not.toEqual(drawSample(passages, 7));
});
