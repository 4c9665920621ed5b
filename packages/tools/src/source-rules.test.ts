import { glob, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { PROBLEM_CODES } from '@tidewatch/contracts/problems/problem-codes';
import { beforeAll, describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
/** The stack runs the product on one machine, and its lines and problems are read beside those of the product. */
const PRODUCT = ['packages/{libs,services,apps}/*/src/**/*.ts', 'packages/tests/stack/src/**/*.ts'];

const SOURCES = 'packages/{libs,services,apps,tests}/*/src/**/*.ts';
/** Matches the paths of files that only tests run. */
const TESTS = /\.(test|harness|fixture)\.ts$|\/testing\/|^packages\/tests\//;
/** The folder of the stack, whose processes use unseeded jitter. */
const STACK = 'packages/tests/stack/';
/** `Math.random` as a call or an argument, and PostgreSQL's `random()` as a condition. */
const UNSEEDED = /\bMath\.random\b|\b(?:where|when|and) random\(\)/;

/** The sources that may know how samples and rollups are laid out. */
const OF_LAYOUTS =
  /^packages\/libs\/store\/src\/(series\/rows|series\/chunks|samples|rollups|sample-log|sample-days|sample-conversion)\//;
/** SQL that reads samples or rollups, with an alias or a condition. */
const READS_ROWS =
  /\b(?:from|join) (?:samples|samples_backfill|rollup_1\w|sample_(?:log|chunks|days)|packed_\w+) (?:[a-z]\b|where)/;

/** An import of a harness in another folder; captures the folder. */
const DISTANT_HARNESS = /from '(\.{1,2}\/(?:[\w.-]+\/)+)[\w-]+\.harness\.ts'/g;

/** Lines in which a value with the name of a secret is compared by `===`, except with a literal, null or undefined. */
export function comparedSecrets(source: string): string[] {
  const name = '[\\w.]*(?:[sS]ecret|[dD]igest|[sS]ha256|[sS]ignature|[pP]assword|[aA]piKey|[kK]eyText)\\w*';
  const operand = `${name}(?:\\[[^\\]]*\\]|\\.\\w+|\\([^()]*\\))*`;
  const literal = `(?!\\s*(?:null|undefined|true|false|\\d|['"\`]))`;
  const left = new RegExp(`${operand}\\s*[!=]==${literal}`);
  const right = new RegExp(`(?<!typeof [\\w.]*\\s*)(?<!['"\`]\\s*)[!=]==\\s*${operand}`);
  return source
    .split('\n')
    .filter(
      (line) => !/\.length\b/.test(line) && !line.includes('typeof') && (left.test(line) || right.test(line)),
    );
}

describe('the source', () => {
  const sources = new Map<string, string>();

  beforeAll(async () => {
    for await (const file of glob(PRODUCT, { cwd: root }))
      if (!/\.(test|harness|fixture|contract)\.ts$|\/testing\//.test(file))
        sources.set(file, await readFile(`${root}/${file}`, 'utf8'));
    expect(sources.size).toBeGreaterThan(300);
  });

  it('throws only problems whose codes are in the closed list', () => {
    const thrown = new Set<string>();
    for (const source of sources.values())
      for (const [, code = ''] of source.matchAll(/new ProblemError\(\s*'([^']*)'/g)) thrown.add(code);
    expect([...thrown].filter((code) => !(PROBLEM_CODES as string[]).includes(code))).toEqual([]);
    expect(thrown.size).toBeGreaterThan(20);
  });

  it('has no file or folder called utils, helpers, common or manager', () => {
    const names = [...sources.keys()].flatMap((file) => file.split(/[/.]/).slice(2));
    expect(names.filter((name) => /^(utils?|helpers?|common|manager)$/.test(name))).toEqual([]);
  });

  it('imports the milliseconds of a second, minute, hour and day from one file', () => {
    const declared = [...sources].filter(([, source]) =>
      /const (SECOND|MINUTE|HOUR|DAY)(_MS)? =/.test(source),
    );
    expect(declared.map(([file]) => file)).toEqual(['packages/libs/contracts/src/time/duration.ts']);
  });

  it('reads stored samples and rollups by the reader of series alone, apart from what writes them', () => {
    const found = [...sources].filter(
      ([file, source]) => !OF_LAYOUTS.test(file) && (READS_ROWS.test(source) || source.includes('/rows/')),
    );
    expect(found.map(([file]) => file).sort()).toEqual([
      'packages/libs/store/src/series/stored-series.ts',
      'packages/libs/store/src/snapshots/stored-snapshots.ts',
    ]);
  });

  it('of tests draws random data from a seed only, so that a failure can be repeated', async () => {
    const found: string[] = [];
    for await (const file of glob(SOURCES, { cwd: root })) {
      if (!TESTS.test(file) || file.startsWith(STACK)) continue;
      const lines = (await readFile(`${root}/${file}`, 'utf8')).split('\n');
      for (const line of lines) if (UNSEEDED.test(line)) found.push(`${file}: ${line.trim()}`);
    }
    expect(found).toEqual([]);
  });

  it('has each harness of tests beside all files that import it, or in src/testing', async () => {
    const found: string[] = [];
    for await (const file of glob(SOURCES, { cwd: root })) {
      if (!TESTS.test(file)) continue;
      for (const [, path = ''] of (await readFile(`${root}/${file}`, 'utf8')).matchAll(DISTANT_HARNESS))
        if (!path.endsWith('/testing/')) found.push(`${file}: ${path}`);
    }
    expect(found).toEqual([]);
  });

  it.each([
    ['const value = Math.random() * 2;', true],
    ['openHub({ random: Math.random })', true],
    ['sql`delete from alerts where random() < 0.1`', true],
    ['sql`select case when random() < 0.5 then 1 end`', true],
    ['const age = random() < 0.2 ? random() * 7_200 : 40;', false],
    ['const random = createRandom(7);', false],
  ])('%s is unseeded: %s', (line, isUnseeded) => {
    expect(UNSEEDED.test(line)).toBe(isUnseeded);
  });

  it('compares no secret by ===, whose duration would reveal how much of a guess is right', () => {
    const found = [...sources].flatMap(([file, source]) =>
      comparedSecrets(source).map((line) => `${file}: ${line.trim()}`),
    );
    expect(found).toEqual([]);
  });

  it.each([
    ['if (given.secret === stored.secret) return;', 1],
    ["if (hash('sha256', text) !== row.digest) return;", 1],
    ['return keys.find(({ secret_sha256 }) => secret_sha256 === wanted);', 1],
    ['list.filter((name) => is.secrets[name] === was.secrets[name]);', 1],
    ["if (password === '') return;", 0],
    ['if (config.secret === undefined || secret === null) return;', 0],
  ])('%s: %i', (line, count) => {
    expect(comparedSecrets(line)).toHaveLength(count);
  });
});
