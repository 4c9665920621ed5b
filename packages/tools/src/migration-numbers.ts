import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const MIGRATIONS = 'packages/libs/store/migrations';

/** The migrations of a checkout that have not the number that follows the one before, one line each. */
export function misnumberedMigrations(root: string): string[] {
  return misnumbered(readdirSync(join(root, MIGRATIONS)));
}

/** The same for these names of folders, such as `0001_baseline`; two branches may have taken the same number. */
export function misnumbered(folders: readonly string[]): string[] {
  return folders.toSorted().flatMap((name, index) => {
    const number = String(index + 1).padStart(4, '0');
    return name.startsWith(`${number}_`) ? [] : [`${MIGRATIONS}/${name} should have the number ${number}`];
  });
}
