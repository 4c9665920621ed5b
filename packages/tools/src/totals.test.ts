import { expect, test } from 'vitest';
import { countTests, type Report } from './totals.ts';

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

test('strictly, what is skipped has failed unless its part is lacking', () => {
  expect(countTests(report, true, ['PostgreSQL 15'])).toMatchObject({ passed: 2, failed: 2, skipped: 1 });
  expect(countTests(report, true, [])).toMatchObject({ passed: 2, failed: 3, skipped: 0 });
});
