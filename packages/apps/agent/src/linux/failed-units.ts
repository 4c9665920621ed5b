import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The names of units whose failure was reported, kept over a restart of the agent or of the machine. */
export interface FailedUnits {
  /** Returns the names that were kept last; none if there are none or if they cannot be read. */
  load(): string[];
  /** Replaces the names. While the disk takes nothing, the former ones stay. */
  save(names: readonly string[]): void;
}

const FILE = 'failed-units';
const UNIT_NAME = /^\S+\.\S+$/;

/** Keeps the names in a file of `folder`, one a line. */
export function failedUnitsIn(folder: string): FailedUnits {
  const path = join(folder, FILE);
  return {
    load() {
      try {
        return readFileSync(path, 'utf8')
          .split('\n')
          .filter((name) => UNIT_NAME.test(name));
      } catch {
        return [];
      }
    },
    save(names) {
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 });
        writeFileSync(`${path}.new`, names.map((name) => `${name}\n`).join(''), { mode: 0o600 });
        renameSync(`${path}.new`, path);
      } catch {
        // They are needed only if the agent ends before it has reported that the units recovered.
      }
    },
  };
}
