import { expect, test } from 'vitest';
import { limitHeaders, partitionKey } from './limit-headers.ts';

test('a limit is told as the draft spells it', () => {
  const told = { policy: 'ingest', quota: 60_000, windowSeconds: 60, remaining: 59_999, resetSeconds: 17 };
  expect(limitHeaders(told)).toEqual({
    RateLimit: '"ingest"; r=59999; t=17',
    'RateLimit-Policy': '"ingest"; q=60000; w=60',
  });
  expect(limitHeaders({ ...told, partition: 'YWJj' })['RateLimit-Policy']).toBe(
    '"ingest"; q=60000; w=60; pk=:YWJj:',
  );
});

test('a partition key is the same for the same id, in base64, and holds nothing of it', () => {
  const key = partitionKey('key_01');
  expect(key).toBe(partitionKey('key_01'));
  expect(key).not.toBe(partitionKey('key_02'));
  expect(Buffer.from(key, 'base64').toString()).toMatch(/^[0-9a-f]{12}$/);
});
