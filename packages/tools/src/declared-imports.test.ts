import { expect, test } from 'vitest';
import { packagesImportedBy } from './declared-imports.ts';

test('finds packages in every form of import, and nothing else', () => {
  // Quotation marks are inserted by `q`, so that the check does not find these imports in this file.
  const q = "'";
  const source = `import fc from ${q}fast-check${q};
import { open } from ${q}node:fs/promises${q};
import { join } from ${q}path${q};
import type { Sql } from ${q}@tidewatch/database/connection${q};
import {
  one,
  two,
} from ${q}zod${q};
import ${q}side-effect/register${q};
import { near } from ${q}./near.ts${q};
export { three } from ${q}three${q};
const four = await import(${q}four/part${q});
// imported from ${q}nowhere${q} by nobody
const text = "from ${q}text${q}";`;
  expect([...packagesImportedBy(source)].sort()).toEqual([
    '@tidewatch/database',
    'fast-check',
    'four',
    'side-effect',
    'three',
    'zod',
  ]);
});
