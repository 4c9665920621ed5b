import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EXCEPTIONS, EXCLUDED, REPLACED_PREFIXES, REPLACED_WORDS } from './words.ts';

const CHECKED = /\.(ts|mjs|sql|md|ya?ml|sh|json|html|css)$|Dockerfile|Caddyfile/;
/** Matches files that are not checked: generated and recorded texts, texts of others, and the word list itself. */
const LEFT_OUT =
  /package-lock\.json|openapi\.json|src\/generated\/|fixtures\/|(^|\/)data\/|tools\/src\/vocabulary\/|docs\/glossary\.md|docs\/api\.md/;

/** Splits identifiers into words: `judgedAt`, `JUDGED_AT` and `judged_at` become "judged at". */
function splitIdentifiers(line: string): string {
  return line
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replaceAll('_', ' ')
    .toLowerCase();
}

/** Returns the replaced words in a line, each with the word to write in its place. */
export function replacedWordsIn(line: string): { word: string; use: string }[] {
  const text = EXCEPTIONS.reduce(
    (rest, { phrase }) => rest.replaceAll(new RegExp(phrase, 'g'), ''),
    splitIdentifiers(line),
  );
  const found = REPLACED_WORDS.map(({ pattern, use }) => ({ word: pattern.exec(text)?.[0], use }));
  const limits = REPLACED_PREFIXES.map(({ pattern, use }) => ({ word: pattern.exec(line)?.[0], use }));
  return [...found, ...limits].filter(
    (each): each is { word: string; use: string } => each.word !== undefined,
  );
}

/**
 * Every use of a replaced word in the files of the repository, as `path:line: "word": write …`.
 * @param only a folder or file; excluded ones are checked only when they are named here
 */
export async function replacedWords(root: string, only?: string): Promise<string[]> {
  const { stdout } = await promisify(execFile)('git', ['ls-files', ...(only ? [only] : [])], {
    cwd: root,
    maxBuffer: 16 * 1024 * 1024,
  });
  const files = stdout.split('\n').filter((file) => CHECKED.test(file) && !LEFT_OUT.test(file));
  const checked = only ? files : files.filter((file) => !EXCLUDED.some(({ path }) => file.startsWith(path)));
  const lines = await Promise.all(
    checked.map(async (file) =>
      (await readFile(join(root, file), 'utf8'))
        .split('\n')
        .flatMap((line, index) =>
          replacedWordsIn(line).map(({ word, use }) => `${file}:${index + 1}: "${word}": write ${use}`),
        ),
    ),
  );
  return lines.flat();
}
