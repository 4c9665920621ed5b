import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Returns for each file of a patch the texts that its hunks insert. */
export function textsOf(patch: string): Map<string, string[]> {
  const texts = new Map<string, string[]>();
  for (const part of patch.split(/^diff --git /m).slice(1)) {
    const file = /^\+\+\+ b\/(.+)$/m.exec(part)?.[1] ?? '';
    const hunks = part.split(/^@@.*\n/m).slice(1);
    texts.set(
      file,
      hunks.map((hunk) => hunk.replace(/^(?:-.*|\\.*)\n/gm, '').replace(/^[ +]/gm, '')),
    );
  }
  return texts;
}

/** Files of libraries that lack what a patch of `patches/` leaves there, and patches without a heading in its README. */
export function faultsOfPatches(root: string): string[] {
  const faults: string[] = [];
  const reasons = readFileSync(join(root, 'patches/README.md'), 'utf8');
  for (const name of readdirSync(join(root, 'patches')).filter((each) => each.endsWith('.patch'))) {
    const library = name
      .replace(/\.patch$/, '')
      .replace(/\+([^+]+)$/, ' $1')
      .replaceAll('+', '/');
    if (!reasons.includes(`\n## ${library}\n`)) faults.push(`patches/README.md says nothing of ${library}`);
    for (const [file, texts] of textsOf(readFileSync(join(root, 'patches', name), 'utf8'))) {
      const path = join(root, file);
      const installed = existsSync(path) ? readFileSync(path, 'utf8') : '';
      if (!texts.every((text) => installed.includes(text)))
        faults.push(`${file} lacks what patches/${name} changes: run "npm ci"`);
    }
  }
  return faults;
}
