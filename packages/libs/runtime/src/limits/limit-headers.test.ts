import { expect, test } from 'vitest';
import { limitField, limitHeaders, partitionKey, readLimitField } from './limit-headers.ts';

test('the headers of a rate limit have the form of the IETF draft', () => {
  const state = { policy: 'ingest', quota: 60_000, windowSeconds: 60, remaining: 59_999, resetSeconds: 17 };
  expect(limitHeaders(state)).toEqual({
    RateLimit: '"ingest"; r=59999; t=17',
    'RateLimit-Policy': '"ingest"; q=60000; w=60',
  });
  expect(limitHeaders({ ...state, partition: 'YWJj' })['RateLimit-Policy']).toBe(
    '"ingest"; q=60000; w=60; pk=:YWJj:',
  );
});

test('the partition key of an id is stable, in base64, and does not contain the id', () => {
  const key = partitionKey('key_01');
  expect(key).toBe(partitionKey('key_01'));
  expect(key).not.toBe(partitionKey('key_02'));
  expect(Buffer.from(key, 'base64').toString()).toMatch(/^[0-9a-f]{12}$/);
});

test('the field RateLimit is read as it is written', () => {
  const state = { policy: 'api', remaining: 7, resetSeconds: 42 };
  expect(readLimitField(limitField(state))).toEqual({ remaining: 7, resetSeconds: 42 });
  expect(readLimitField('none')).toBeUndefined();
});
