import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const standalone = read('deploy/standalone.Dockerfile');

test('the image of one process starts Node as npm start does', () => {
  const [, entrypoint = '[]'] = /^ENTRYPOINT (\[.*\])$/m.exec(standalone) ?? [];
  const [, script = '[]'] = /^CMD (\[.*\])$/m.exec(standalone) ?? [];
  const words = String(JSON.parse(read('package.json')).scripts.start).split(' ');
  const flags = words.slice(words.indexOf('packages/tools/src/launch.mjs') + 1);
  expect([...JSON.parse(entrypoint).slice(1), ...JSON.parse(script)]).toEqual(flags);
});

test('both images are of one version of Node', () => {
  const nodeOf = (dockerfile: string) => /^ARG NODE_IMAGE=(.+)$/m.exec(dockerfile)?.[1];
  expect(nodeOf(standalone)).toBe(nodeOf(read('deploy/Dockerfile')));
});

test('both images build the console with the guides of other agents, which it would otherwise lack without an error', () => {
  for (const dockerfile of [standalone, read('deploy/Dockerfile')]) {
    const [before = ''] = dockerfile.split('RUN node packages/apps/console/build/main.ts');
    expect(before).toContain('COPY docs/agents docs/agents');
  }
});

test('the context of the images has everything that they copy by name', () => {
  const context = read('.dockerignore').split('\n');
  for (const dockerfile of [standalone, read('deploy/Dockerfile')]) {
    const copied = [...dockerfile.matchAll(/^COPY (?!--)(\S+) /gm)].map(([, name]) => name);
    expect(copied).toContain('tsconfig.json');
    for (const name of copied.filter((each) => each !== '.'))
      expect(context.filter((line) => line.startsWith(`!${name}`))).not.toEqual([]);
  }
});
