import { describe, expect, test } from 'vitest';
import { type EarlierOutcome, isOwed, madeGoodAs } from './owed.ts';

const notice = (fields: Partial<EarlierOutcome> = {}): EarlierOutcome => ({
  direction: 'opening',
  status: 'delivered',
  severity: 'warning',
  createdAt: 100,
  ...fields,
});

describe('a channel of an active warning', () => {
  test.each<[string, EarlierOutcome[], boolean]>([
    ['without any notice is owed one, as one that was added since', [], true],
    ['that was notified is not', [notice()], false],
    ['that is about to be is not', [notice({ status: 'queued' })], false],
    ['of which the firing was suppressed is', [notice({ status: 'suppressed' })], true],
    ['that was disabled is', [notice({ status: 'not_configured' })], true],
    ['that knows of it as critical is not', [notice({ severity: 'critical' })], false],
    ['that knows of it as info is', [notice({ severity: 'info' })], true],
    [
      'of which the rise was suppressed, but which knows the severity that holds, is not',
      [notice(), notice({ status: 'suppressed', severity: 'critical' })],
      false,
    ],
    ['with a record of an older version is not', [notice({ severity: null })], false],
    ['that refused the notice is not', [notice({ status: 'failed' })], false],
    ['that refused the notice and was changed since is', [notice({ status: 'failed', createdAt: 40 })], true],
    ['with nothing but a resolution is', [notice({ direction: 'resolution' })], true],
  ])('%s', (_, earlier, owed) => {
    expect(isOwed(earlier, 'warning', 50)).toBe(owed);
  });
});

test.each<[string, Parameters<typeof madeGoodAs>, string]>([
  ['a firing that was backfilled is a firing', [['backfilled'], false], 'fired'],
  ['a firing on a channel that was added is a firing', [['changed'], false], 'fired'],
  ['a rise that was withheld is a rise', [['host_offline'], true], 'escalated'],
  ['what a silence withheld is the end of the silence', [['silenced', 'flapping'], true], 'silence_ended'],
])('%s', (_, [reasons, hadNotice], expected) => {
  expect(madeGoodAs(reasons, hadNotice)).toBe(expected);
});
