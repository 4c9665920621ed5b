import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';

export const MAX_LINES = 300;

const TESTS = /\.(test|harness|fixture|contract)\.tsx?$|\/testing\/|\/generated\//;

/** Sources with too many lines, given the number of lines of each. */
export function lengthFaults(lines: ReadonlyMap<string, number>): string[] {
  return [...lines]
    .filter(([, count]) => count > MAX_LINES)
    .map(([file, count]) => `${file}: has ${count} lines, at most ${MAX_LINES} are allowed: divide it`);
}

/** The sources of the repository with too many lines; tests may be longer. */
export async function faultsOfLength(root: string): Promise<string[]> {
  const lines = new Map<string, number>();
  for await (const file of glob('packages/*/*/src/**/*.{ts,tsx}', { cwd: root }))
    if (!TESTS.test(file)) {
      const text = await readFile(join(root, file), 'utf8');
      lines.set(file, text.split('\n').length - 1);
    }
  return lengthFaults(lines);
}
