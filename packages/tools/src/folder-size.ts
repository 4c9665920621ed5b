import { glob } from 'node:fs/promises';
import posix from 'node:path/posix';

export const MAX_FILES = 20;

/** Matches tests and files that only tests use, which are not counted. */
const TESTS = /\.(test|harness|fixture|contract)\.tsx?$|\/(fixtures|generated)\//;

/** The folders of these sources that contain too many, one sentence for each. */
export function crowdedFolders(sources: readonly string[]): string[] {
  const counts = new Map<string, number>();
  for (const file of sources) {
    const folder = posix.dirname(file);
    if (!TESTS.test(file)) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count > MAX_FILES)
    .map(
      ([folder, count]) =>
        `${folder}: has ${count} sources, at most ${MAX_FILES} are allowed: divide it by nouns of the field`,
    )
    .sort();
}

export async function faultsOfFolders(root: string): Promise<string[]> {
  const sources: string[] = [];
  for await (const file of glob(['packages/*/*/src/**/*.{ts,tsx,mjs}', 'packages/tools/src/**/*.{ts,mjs}'], {
    cwd: root,
  }))
    sources.push(file);
  return crowdedFolders(sources);
}
