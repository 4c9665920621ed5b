import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** The kinds of texts that a reader without the code should understand, and how many of each a sample has. */
export const KINDS = { comment: 60, log: 30, title: 30, error: 20 } as const;
export type Kind = keyof typeof KINDS;

export interface Passage {
  kind: Kind;
  text: string;
  /** `path:line` */
  at: string;
}

const TEXT = String.raw`'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|${'`'}(?:[^${'`'}\\]|\\.)*${'`'}`;
const PATTERNS: Record<Kind, RegExp> = {
  comment: /^[ \t]*\/\*\*[\s\S]*?\*\/|(?:^[ \t]*\/\/.*\n)+/gm,
  log: new RegExp(
    String.raw`\b(?:logger|log)\.(?:debug|info|warn|error|fatal)\((?:[^;]*?,\s*)?(${TEXT})[,\s]*\)`,
    'g',
  ),
  title: new RegExp(String.raw`^[ \t]*(?:it|test)(?:\.\w+(?:\([^\n]*\))?)?(?:\.\w+)?\(\s*(${TEXT})`, 'gm'),
  error: new RegExp(String.raw`new \w*Error\(\s*(${TEXT})|\bdetail:\s*(${TEXT})`, 'g'),
};
const SUITE = new RegExp(String.raw`^([ \t]*)describe(?:[^\n]*?\))?\(\s*(${TEXT}),`);
/** Shorter texts, such as the message of a made-up error in a test, have no sentence to understand. */
const MIN_LENGTH = 15;
/** A text with fewer words beside its values is a code, such as `ingest_unavailable`, or a name. */
const MIN_WORDS = 3;

/** Returns all passages of a source that a sample may draw. */
export function passagesOf(source: string, path: string): Passage[] {
  const kinds: Kind[] = /\.test\.tsx?$/.test(path) ? ['comment', 'title'] : ['comment', 'log', 'error'];
  return kinds.flatMap((kind) =>
    [...source.matchAll(PATTERNS[kind])].flatMap((match) => {
      const own = plainTextOf(match[1] ?? match[2] ?? match[0]);
      const text = kind === 'title' ? `${suitesAround(source, match.index)}${own}` : own;
      const line = source.slice(0, match.index).split('\n').length;
      const isSentence = own.length >= MIN_LENGTH && wordsOf(own) >= MIN_WORDS;
      return isSentence && !/biome-ignore/.test(text) ? [{ kind, text, at: `${path}:${line}` }] : [];
    }),
  );
}

/** The number of words of a text beside the values in it. */
function wordsOf(text: string): number {
  return text.replaceAll(/\$\{[^}]*\}/g, ' ').match(/[A-Za-z][\w'-]*/g)?.length ?? 0;
}

/** The titles of the suites around a test, as a log of tests shows them before its own title. */
function suitesAround(source: string, at: number): string {
  const lines = source.slice(0, at).split('\n');
  let indent = /^[ \t]*/.exec(source.slice(at))?.[0].length ?? 0;
  const titles: string[] = [];
  for (let index = lines.length - 1; index >= 0 && indent > 0; index -= 1) {
    const suite = SUITE.exec(lines.slice(index, index + 2).join('\n'));
    if (suite === null || (suite[1] ?? '').length >= indent) continue;
    indent = (suite[1] ?? '').length;
    titles.unshift(`${plainTextOf(suite[2] ?? '')} > `);
  }
  return titles.join('');
}

function plainTextOf(text: string): string {
  return text
    .replaceAll(/^['"`]|['"`]$/g, '')
    .replaceAll(/\/\*\*|\*\//g, ' ')
    .replaceAll(/^[ \t]*(\*|\/\/) ?/gm, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Draws the sample of a seed: the same passages for the same sources and seed. */
export function drawSample(passages: readonly Passage[], seed: number): Passage[] {
  const random = generatorOf(seed);
  return (Object.keys(KINDS) as Kind[]).flatMap((kind) => {
    const left = passages.filter((passage) => passage.kind === kind);
    return Array.from({ length: Math.min(KINDS[kind], left.length) }, () =>
      left.splice(Math.floor(random() * left.length), 1),
    ).flat();
  });
}

/** Mulberry32: numbers in [0, 1) that depend on the seed alone. */
function generatorOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The passages of every source of the repository. */
export async function passagesOfRepository(root: string): Promise<Passage[]> {
  const { stdout } = await promisify(execFile)('git', ['ls-files', 'packages'], {
    cwd: root,
    maxBuffer: 16 * 1024 * 1024,
  });
  const files = stdout.split('\n').filter((file) => /\.tsx?$/.test(file) && !/\/generated\//.test(file));
  const texts = await Promise.all(files.map((file) => readFile(join(root, file), 'utf8')));
  return files.flatMap((file, index) => passagesOf(texts[index] ?? '', file));
}

if (import.meta.main) {
  const seed = Number(process.argv[2] ?? Date.now() % 1_000_000);
  const root = fileURLToPath(new URL('../../../..', import.meta.url));
  const isLocated = process.argv.includes('--located');
  console.log(`seed ${seed}`);
  for (const { kind, text, at } of drawSample(await passagesOfRepository(root), seed))
    console.log(isLocated ? `${kind}  ${text}  (${at})` : `${kind}  ${text}`);
}
