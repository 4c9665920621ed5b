import { expect, it } from 'vitest';
import { NO_RANK } from '../outputs/outputs.ts';
import { COMPUTED_ROWS } from './computed-rows.ts';
import { MAX_ROLES } from './input-links.ts';

it('has few enough rows, and roles of a row, for the bits in which they are kept', () => {
  expect(COMPUTED_ROWS.length).toBeGreaterThan(0);
  for (const row of COMPUTED_ROWS) {
    expect(row.rank).toBeLessThan(NO_RANK);
    if (row.kind === 'derived') expect(row.roles.length).toBeLessThanOrEqual(MAX_ROLES);
  }
});
