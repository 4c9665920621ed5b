import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

const VERSION = /^## \[(?:Unreleased\]|\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d)$/;
const KINDS = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];
const MAX_ENTRY_LENGTH = 220;

/** Returns the differences of a changelog from Keep a Changelog 1.1.0, one line for each. */
export function changelogFaults(text: string): string[] {
  const faults: string[] = [];
  const seen = new Set<string>();
  let kind = '';
  text.split('\n').forEach((line, index) => {
    const fault = (message: string) => faults.push(`CHANGELOG.md:${index + 1}: ${message}`);
    if (line.startsWith('## ') && !VERSION.test(line))
      fault('a version is "## [Unreleased]" or "## [1.2.3] - YYYY-MM-DD"');
    if (line.startsWith('## ')) kind = '';
    if (line.startsWith('### ')) {
      kind = line.slice(4);
      if (!KINDS.includes(kind)) fault(`a section is one of ${KINDS.join(', ')}`);
    }
    if (!line.startsWith('- ')) return;
    if (kind === '') fault('an entry stands below a section, such as "### Added"');
    if (line.length > MAX_ENTRY_LENGTH) fault(`an entry has at most ${MAX_ENTRY_LENGTH} characters`);
    if (seen.has(line)) fault('the entry is there already');
    seen.add(line);
  });
  if (!text.includes('\n## [Unreleased]\n')) faults.push('CHANGELOG.md: "## [Unreleased]" is missing');
  return faults;
}

/** The faults of the repository's changelog. */
export async function faultsOfChangelog(root: string): Promise<string[]> {
  return changelogFaults(await readFile(join(root, 'CHANGELOG.md'), 'utf8'));
}
