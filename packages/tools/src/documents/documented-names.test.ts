import { glob, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { defaultOf, type Settings } from '@tidewatch/runtime/settings/config';
import { SETTING_NAMES } from '@tidewatch/runtime/settings/setting-names';
import { standaloneSettings } from '@tidewatch/standalone/config';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const METRIC = /(?:\b(?:counter|gauge|histogram)(?:<[^>]*>)?\(\s*|\bname: )'(tidewatch_[a-z0-9_]+)'/g;
/** Matches settings that only the stack sets, for its own proxy. */
const OF_THE_STACK_ALONE = /^TIDEWATCH_PROXY_/;

async function textOf(pattern: string, leftOut = /^$/): Promise<string> {
  const files: string[] = [];
  for await (const file of glob(pattern, { cwd: root })) if (!leftOut.test(file)) files.push(file);
  return (await Promise.all(files.map((file) => readFile(`${root}/${file}`, 'utf8')))).join('\n');
}

test('docs/monitoring.md has every metric of Tidewatch, and no other', async () => {
  const source = await textOf('packages/{libs,services,apps}/*/src/**/*.ts', /\.test\.ts$/);
  const made = new Set([...source.matchAll(METRIC)].map(([, name]) => name));
  const documented = await textOf('docs/monitoring.md');
  expect(made.size).toBeGreaterThan(60);
  expect([...made].filter((name) => !documented.includes(`\`${name}`))).toEqual([]);
  const named = [...documented.matchAll(/`(tidewatch_[a-z0-9_]+)/g)].map(([, name]) => name as string);
  const quoted = new Set([...source.matchAll(/'(tidewatch_[a-z0-9_]+)'/g)].map(([, name]) => name));
  expect([...new Set(named)].filter((name) => !quoted.has(name))).toEqual([]);
});

test('the documents name every setting', async () => {
  const documents = await textOf('docs/*.md');
  const settings = SETTING_NAMES.filter((name) => !name.endsWith('_FILE') && !OF_THE_STACK_ALONE.test(name));
  expect(settings.length).toBeGreaterThan(60);
  expect(settings.filter((name) => !documents.includes(name))).toEqual([]);
});

test('docs/settings.md has every setting of npm start with its default', async () => {
  const rows = (await textOf('docs/settings.md')).split('\n').map((line) => line.split(' | '));
  const rowOf = (env: string) => rows.find(([name]) => name === `| \`${env}\``);
  // The settings of language models are documented in docs/investigations-model.md instead.
  const settings = Object.values(standaloneSettings as Settings).filter(
    ({ env }) => !env.startsWith('TIDEWATCH_LLM_'),
  );
  expect(settings.length).toBeGreaterThan(40);
  const missing = settings.filter(({ env }) => rowOf(env) === undefined);
  expect(missing.map(({ env }) => env)).toEqual([]);
  const stated = settings.flatMap((setting) => {
    const { env } = setting;
    const actual = defaultOf(setting);
    const [, documented] = /^`?([^`]*)`? \|$/.exec(rowOf(env)?.at(-1) ?? '') ?? [];
    return /^[\d.]+$|^on$|^off$/.test(actual) ? [{ env, actual, documented }] : [];
  });
  expect(stated.length).toBeGreaterThan(25);
  expect(stated.filter(({ actual, documented }) => actual !== documented)).toEqual([]);
});
