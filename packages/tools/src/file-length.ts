import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export const MAX_LINES = 300;

/** Sources that are longer than `MAX_LINES`. A file leaves the list once it is divided; none joins it. */
export const TOO_LONG: readonly string[] = [
  'packages/libs/contracts/src/rules/rule.ts',
  'packages/libs/runtime/src/sharing/fair-share.ts',
];

const TESTS = /\.(test|harness|fixture|contract)\.ts$|\/testing\/|\/generated\//;

/** What must be divided, or taken off the list, by the number of lines of each source. */
export function lengthFaults(lines: ReadonlyMap<string, number>, listed = TOO_LONG): string[] {
  const grown = [...lines]
    .filter(([file, count]) => count > MAX_LINES && !listed.includes(file))
    .map(([file, count]) => `${file}: has ${count} lines, at most ${MAX_LINES} are allowed: divide it`);
  const shrunk = listed
    .filter((file) => (lines.get(file) ?? 0) <= MAX_LINES)
    .map((file) => `packages/tools/src/file-length.ts: take ${file} off the list, it is short enough now`);
  return [...grown, ...shrunk];
}

/** The faults of all sources; tests may be longer. */
export async function faultsOfLength(root: string): Promise<string[]> {
  const lines = new Map<string, number>();
  for await (const file of glob('packages/*/*/src/**/*.ts', { cwd: root }))
    if (!TESTS.test(file)) {
      const text = await readFile(join(root, file), 'utf8');
      lines.set(file, text.split('\n').length - 1);
    }
  return lengthFaults(lines);
}
