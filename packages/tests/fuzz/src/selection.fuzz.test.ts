import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { fuzz } from './fuzz.ts';
import { faultsOf, describe as tell } from './verdict.ts';

test('no request of any route is answered wrongly', async () => {
  const seed = randomInt(2 ** 31);
  const result = await fuzz({ requests: 1_000, seed, lanes: 16 });
  console.log(`seed ${seed}\n${tell(result)}`);
  expect(faultsOf(result), `seed ${seed}`).toEqual([]);
});
