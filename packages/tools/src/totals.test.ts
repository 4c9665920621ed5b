import { expect, test } from 'vitest';
import { addTotals, countTests, type Report } from './totals.ts';

const skippedNames = ['plain', 'older server [needs PostgreSQL 15]'];
const report: Report = {
  numPassedTests: 2,
  numFailedTests: 0,
  numPendingTests: 2,
  numTodoTests: 0,
  testResults: [
    {
      name: 'a.test.ts',
      status: 'passed',
      assertionResults: skippedNames.map((fullName) => ({ fullName, status: 'skipped' })),
    },
    { name: 'b.test.ts', status: 'failed', assertionResults: [] },
  ],
};

test('a file that cannot be loaded is a failure', () => {
  expect(countTests(report, false, [])).toMatchObject({ passed: 2, failed: 1, skipped: 2 });
});

test('a skipped test counts as failed in strict mode, unless its part is lacking', () => {
  expect(countTests(report, true, ['PostgreSQL 15'])).toMatchObject({ passed: 2, failed: 2, skipped: 1 });
  expect(countTests(report, true, [])).toMatchObject({ passed: 2, failed: 3, skipped: 0 });
});

test('a skipped test that needs several parts may lack any of them', () => {
  const both = { fullName: '[needs Chromium] a page [needs Tidewatch image] works', status: 'skipped' };
  const file = { name: 'd.test.ts', status: 'passed', assertionResults: [both] };
  const totalsWithout = (...lacked: string[]) => countTests({ ...report, testResults: [file] }, true, lacked);
  expect(totalsWithout('Tidewatch image')).toMatchObject({ failed: 0, skipped: 1 });
  expect(totalsWithout('Chromium')).toMatchObject({ failed: 0, skipped: 1 });
  expect(totalsWithout('Kafka')).toMatchObject({ failed: 1, skipped: 0 });
});

test('failed tests are listed with the first lines of their reason', () => {
  const lines = Array.from({ length: 40 }, (_, index) => `line ${index}`);
  const failed = {
    name: 'c.test.ts',
    status: 'failed',
    assertionResults: [
      { fullName: 'works', status: 'failed', failureMessages: ['expected 1 to be 2', lines.join('\n')] },
    ],
  };
  const { remarks } = countTests({ ...report, numFailedTests: 1, testResults: [failed] }, true, []);
  expect(remarks).toHaveLength(1);
  expect(remarks[0]).toContain('failed: c.test.ts: works\n    expected 1 to be 2\n    line 0\n');
  expect(remarks[0]).not.toContain('line 39');
});

test('the totals of two runs are added', () => {
  const one = { passed: 2, failed: 1, skipped: 0, remarks: ['a'] };
  const other = { passed: 3, failed: 0, skipped: 4, remarks: ['b', 'c'] };
  expect(addTotals(one, other)).toEqual({ passed: 5, failed: 1, skipped: 4, remarks: ['a', 'b', 'c'] });
});
