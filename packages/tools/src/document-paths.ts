import { existsSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const IN_CODE = /`((?:packages|docs|deploy|\.ci)\/[A-Za-z0-9_./-]+)`/g;
const LINK = /\]\(([^)#\s]+)(?:#[^)]*)?\)/g;
const SCRIPT = /\bnpm run ([a-z][a-z0-9:-]*)/g;

/** Paths, relative links and npm scripts that a Markdown text names. */
export function namedBy(text: string): { paths: string[]; links: string[]; scripts: string[] } {
  const all = (pattern: RegExp) => [...text.matchAll(pattern)].map((match) => match[1] as string);
  return {
    paths: all(IN_CODE),
    links: all(LINK).filter((link) => !/^[a-z]+:/.test(link) && !link.startsWith('/')),
    scripts: all(SCRIPT),
  };
}

/** Everything that the repository's documents name and that does not exist, a line for each. */
export async function missingPaths(root: string): Promise<string[]> {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const missing: string[] = [];
  for await (const file of glob('**/*.md', { cwd: root, exclude: (name) => name === 'node_modules' })) {
    const named = namedBy(await readFile(join(root, file), 'utf8'));
    const folder = dirname(join(root, file));
    missing.push(
      ...named.paths
        .filter((path) => !existsSync(join(root, path)))
        .map((path) => `${file}: ${path} does not exist`),
      ...named.links
        .filter((link) => !existsSync(join(folder, link)))
        .map((link) => `${file}: ${link} does not exist`),
      ...named.scripts
        .filter((name) => !(name in scripts))
        .map((name) => `${file}: there is no script "${name}"`),
    );
  }
  return missing;
}
