import { existsSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import posix from 'node:path/posix';

const IN_CODE = /`((?:packages|libs|services|apps|docs|deploy|\.ci)\/[A-Za-z0-9_.,{}/-]+)`/g;
const LINK = /\]\(([^)\s]+)\)/g;
const SCRIPT = /\bnpm run (?:--silent )?([a-z][a-z0-9:-]*)/g;
const FENCED = /^( *)(`{3,}).*\n[\s\S]*?^\1\2 *$/gm;
const CODE = /`[^`\n]+`/g;

/** Expands `libs/a/{b,c}.ts` to `packages/libs/a/b.ts` and `packages/libs/a/c.ts`. */
function spelledOut(path: string): string[] {
  const whole = /^(libs|services|apps)\//.test(path) ? `packages/${path}` : path;
  const [, before = '', choices, after = ''] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(whole) ?? [];
  return choices === undefined ? [whole] : choices.split(',').map((choice) => `${before}${choice}${after}`);
}

/** Paths, relative links and npm scripts that a Markdown text names; links in code are examples. */
export function namedBy(text: string): { paths: string[]; links: string[]; scripts: string[] } {
  const all = (pattern: RegExp, of = text) => [...of.matchAll(pattern)].map((match) => match[1] as string);
  return {
    paths: all(IN_CODE).flatMap(spelledOut),
    links: all(LINK, text.replace(FENCED, '').replace(CODE, '')).filter(
      (link) => !/^[a-z]+:/.test(link) && !link.startsWith('/'),
    ),
    scripts: all(SCRIPT),
  };
}

/** The anchors of a Markdown text's headings, made as GitHub makes them. */
export function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ''] of text.replace(FENCED, '').matchAll(/^#{1,6} +(.+?)[ #]*$/gm)) {
    const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const anchor = words.replace(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-');
    let own = anchor;
    for (let count = 1; anchors.has(own); count += 1) own = `${anchor}-${count}`;
    anchors.add(own);
  }
  return anchors;
}

/** Npm scripts that a document may name: those of the repository, and those of the package whose README it is. */
async function scriptsFor(root: string, file: string): Promise<object> {
  const manifests = ['package.json', posix.join(posix.dirname(file), 'package.json')];
  const texts = manifests
    .filter((path) => existsSync(join(root, path)))
    .map((path) => readFile(join(root, path), 'utf8'));
  return Object.assign({}, ...(await Promise.all(texts)).map((text) => JSON.parse(text).scripts));
}

/**
 * Everything that the repository's documents name and that does not exist, and documents to which no other document links.
 */
export async function missingPaths(root: string): Promise<string[]> {
  const texts = new Map<string, string>();
  for await (const file of glob('**/*.md', { cwd: root, exclude: (name) => name === 'node_modules' }))
    texts.set(file, await readFile(join(root, file), 'utf8'));
  const missing: string[] = [];
  for (const [file, text] of texts) {
    const named = namedBy(text);
    const scripts = await scriptsFor(root, file);
    missing.push(
      ...named.paths
        .filter((path) => !existsSync(join(root, path)))
        .map((path) => `${file}: ${path} does not exist`),
      ...named.links.flatMap((link) => {
        const [path = '', anchor] = link.split('#');
        const target = path === '' ? file : posix.join(posix.dirname(file), path);
        if (!existsSync(join(root, target))) return [`${file}: ${link} does not exist`];
        const linked = texts.get(target);
        return anchor === undefined || linked === undefined || anchorsOf(linked).has(anchor)
          ? []
          : [`${file}: ${link}: ${target} has no such heading`];
      }),
      ...named.scripts
        .filter((name) => !(name in scripts))
        .map((name) => `${file}: there is no script "${name}"`),
    );
  }
  const index = namedBy(texts.get('docs/README.md') ?? '').links.map((link) => `docs/${link.split('#')[0]}`);
  const listed = [...texts.keys()].filter((file) => /^docs\/(?!README|decisions\/\d)/.test(file));
  missing.push(
    ...listed
      .filter((file) => !index.includes(file))
      .map((file) => `docs/README.md: lacks a link to ${file}`),
  );
  return missing;
}
