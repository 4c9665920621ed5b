import { glob, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { SETTING_NAMES } from '@tidewatch/runtime/setting-names';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const METRIC = /(?:\b(?:counter|gauge|histogram)(?:<[^>]*>)?\(\s*|\bname: )'(tidewatch_[a-z0-9_]+)'/g;
/** Set by the stack for its own proxy, and by nobody else. */
const OF_THE_STACK_ALONE = /^TIDEWATCH_PROXY_/;

async function textOf(pattern: string, leftOut = /^$/): Promise<string> {
  const texts: string[] = [];
  for await (const file of glob(pattern, { cwd: root }))
    if (!leftOut.test(file)) texts.push(await readFile(`${root}/${file}`, 'utf8'));
  return texts.join('\n');
}

test('docs/monitoring.md has every metric of Tidewatch, and no other', async () => {
  const source = await textOf('packages/{libs,services,apps}/*/src/**/*.ts', /\.test\.ts$/);
  const made = new Set([...source.matchAll(METRIC)].map(([, name]) => name));
  const documented = await textOf('docs/monitoring.md');
  expect(made.size).toBeGreaterThan(60);
  expect([...made].filter((name) => !documented.includes(`\`${name}`))).toEqual([]);
  const named = [...documented.matchAll(/`(tidewatch_[a-z0-9_]+)/g)].map(([, name]) => name as string);
  expect([...new Set(named)].filter((name) => !source.includes(`'${name}'`))).toEqual([]);
});

test('the documents name every setting', async () => {
  const documents = await textOf('docs/*.md');
  const settings = SETTING_NAMES.filter((name) => !name.endsWith('_FILE') && !OF_THE_STACK_ALONE.test(name));
  expect(settings.length).toBeGreaterThan(60);
  expect(settings.filter((name) => !documents.includes(name))).toEqual([]);
});
