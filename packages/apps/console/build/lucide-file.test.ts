import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CONSOLE_FOLDER } from './console-config.ts';
import { lucideFiles } from './lucide-file.ts';

it('the copied icons and their licence are those of the installed version of Lucide', async () => {
  const { source, licence } = await lucideFiles();
  const read = (name: string) => readFileSync(join(CONSOLE_FOLDER, 'src/icons', name), 'utf8');
  expect(read('lucide.ts')).toBe(source);
  expect(read('LICENSE')).toBe(licence);
  expect(source).toContain("export const X = /* @__PURE__ */ lucideIcon([\n  ['path', { d: 'M18 6 6 18' }],");
});
