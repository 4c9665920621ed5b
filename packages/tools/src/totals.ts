/** The fields of vitest's JSON report that are read here. */
export interface Report {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: {
    name: string;
    status: string;
    assertionResults: {
      fullName: string;
      status: string;
      /** A message with a stack for each failure; absent for tests that did not run. */
      failureMessages?: string[];
    }[];
  }[];
}

/** The max number of lines of a failure's message in the totals; the output of the test has all lines. */
const MESSAGE_LINES = 12;

export interface Totals {
  passed: number;
  failed: number;
  skipped: number;
  /** The failures, and the reasons for which other results count as failed; printed with the totals. */
  remarks: string[];
}

/**
 * Counts all tests. A file that failed outside of its tests counts as one failure. With `strict` (continuous integration),
 * a skipped test is a failure unless its name contains `[needs X]` and X is among the missing parts; a name may have several.
 */
export function countTests(report: Report, strict: boolean, lacked: readonly string[]): Totals {
  const totals: Totals = {
    passed: report.numPassedTests,
    failed: report.numFailedTests,
    skipped: 0,
    remarks: [],
  };
  for (const file of report.testResults) {
    if (file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed')) {
      totals.failed += 1;
      totals.remarks.push(`${file.name} failed outside of its tests`);
    }
    for (const test of file.assertionResults) {
      if (test.status === 'failed') {
        const reason = (test.failureMessages ?? []).join('\n').split('\n', MESSAGE_LINES).join('\n    ');
        totals.remarks.push(`failed: ${file.name}: ${test.fullName}\n    ${reason}`);
      }
      if (!['pending', 'skipped', 'todo', 'disabled'].includes(test.status)) {
        continue;
      }
      const needs = [...test.fullName.matchAll(/\[needs ([^\]]+)\]/g)].map(([, part]) => part ?? '');
      if (strict && !needs.some((part) => lacked.includes(part))) {
        totals.failed += 1;
        totals.remarks.push(`skipped, though it could run here: ${test.fullName}`);
      } else {
        totals.skipped += 1;
      }
    }
  }
  return totals;
}

/** The sum of the totals of two runs. */
export function addTotals(a: Totals, b: Totals): Totals {
  return {
    passed: a.passed + b.passed,
    failed: a.failed + b.failed,
    skipped: a.skipped + b.skipped,
    remarks: [...a.remarks, ...b.remarks],
  };
}
