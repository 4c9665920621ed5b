import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { recordPart } from '@tidewatch/harness/parts/report';
import { IMAGE } from '@tidewatch/harness/parts/tidewatch-image';
import { createProduct, type Product } from '@tidewatch/harness/product';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { asCommonJs, examplesOf, inFunction } from './examples.ts';
import { findNode20 } from './node-20.ts';
import { createProject, type Finished, type Project, PUBLISHED } from './project.ts';
import { tryToPublish } from './publish.ts';

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url));
const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
const node20 = findNode20();
recordPart({ ...node20, name: 'Node 20' });

const [calls = '', following = ''] = examplesOf(readFileSync(join(PUBLISHED.client, 'README.md'), 'utf8'));
const [suite = '', container = ''] = examplesOf(readFileSync(join(PUBLISHED.testkit, 'README.md'), 'utf8'));

let project: Project;
let product: Product;
beforeAll(async () => {
  project = createProject();
  product = await createProduct();
  await product.start();
}, 300_000);
afterAll(async () => {
  await product?.remove();
  project?.remove();
});

function pathOf(part: typeof node20): string | null {
  return part.state === 'lacked' ? null : part.address.program;
}

/** The environment variables with which the examples reach the product. */
const addresses = () => ({
  TIDEWATCH_URL: product.url,
  TIDEWATCH_API_KEY: product.key,
  TIDEWATCH_TEST_URL: product.url,
  TIDEWATCH_TEST_KEY: product.key,
});
const outcomeOf = ({ status, stdout, stderr }: Finished) => ({ status, output: `${stdout}${stderr}` });

const NODES = [
  { name: '[needs Node 20] the published packages on Node 20', program: pathOf(node20) },
  { name: `the published packages on Node ${process.versions.node}`, program: process.execPath },
];

for (const { name, program } of NODES) {
  describe.skipIf(program === null)(name, () => {
    const run = (...args: string[]) => outcomeOf(project.run(String(program), args, addresses()));

    test.each([
      { kind: 'an ECMAScript module', file: 'calls.mjs', code: calls },
      { kind: 'CommonJS', file: 'calls.cjs', code: asCommonJs(calls) },
    ])('run the example of the client in $kind', async ({ file, code }) => {
      project.write({ [file]: code });
      // Polls, because a host is listed a moment after its first sample.
      await expect.poll(() => run(file)).toEqual({ status: 0, output: 'web-01 healthy\n404 not_found\n' });
    });

    test.each([
      { kind: 'an ECMAScript module', file: 'events.mjs', code: following },
      { kind: 'CommonJS', file: 'events.cjs', code: asCommonJs(following) },
    ])('follow events as the example of the client does, in $kind', ({ file, code }) => {
      project.write({ [file]: code });
      expect(run(file)).toMatchObject({ status: 0, output: expect.stringMatching(/^open\n/) });
    });

    test.each([
      { kind: 'an ECMAScript module', file: 'suite.test.mjs', code: suite },
      { kind: 'CommonJS', file: 'suite.test.cjs', code: asCommonJs(suite) },
    ])('run the test of the testkit on a running Tidewatch, in $kind', ({ file, code }) => {
      project.write({ [file]: code });
      const passed = expect.stringMatching(/^# pass 1$/m);
      expect(run('--test', '--test-reporter=tap', file)).toMatchObject({ status: 0, output: passed });
    });
  });
}

describe.skipIf(IMAGE === undefined)('[needs Tidewatch image] the testkit', () => {
  test('starts a Tidewatch in a container, which its test finds empty', { timeout: 300_000 }, () => {
    project.write({ 'container.test.mjs': suite });
    const docker = Object.entries(process.env).filter(([name]) => /^(DOCKER|TESTCONTAINERS)_/.test(name));
    const variables = { ...Object.fromEntries(docker), TIDEWATCH_TEST_IMAGE: String(IMAGE) } as Record<
      string,
      string
    >;
    const args = ['--test', '--test-reporter=tap', 'container.test.mjs'];
    const done = outcomeOf(project.run(process.execPath, args, variables));
    expect(done).toMatchObject({ status: 0, output: expect.stringMatching(/^# pass 1$/m) });
  });
});

test('TypeScript accepts the examples with the declarations of the published packages, for each kind of module', () => {
  const examples = { calls, following, suite, container };
  const sources = Object.entries(examples).flatMap(([name, code]) =>
    ['ts', 'mts', 'cts'].map((kind) => [`types/${name}.${kind}`, inFunction(code)] as const),
  );
  const check = (module: string, moduleResolution: string) => ({
    compilerOptions: {
      target: 'es2022',
      lib: ['es2022'],
      types: ['node'],
      strict: true,
      noEmit: true,
      module,
      moduleResolution,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
    },
    include: ['types'],
  });
  project.write({
    ...Object.fromEntries(sources),
    'node16.json': JSON.stringify(check('node16', 'node16')),
    'bundler.json': JSON.stringify(check('esnext', 'bundler')),
    'wrong.ts': `import { createTidewatchClient } from '@tidewatch/client';\ncreateTidewatchClient({ url: 1 });\n`,
  });
  for (const config of ['node16.json', 'bundler.json'])
    expect(outcomeOf(project.run(process.execPath, [tsc, '-p', config]))).toEqual({ status: 0, output: '' });
  const wrong = project.run(process.execPath, [tsc, '--noEmit', '--module', 'node16', 'wrong.ts']);
  expect(wrong.stdout).toContain("Type 'number' is not assignable to type 'string'");
});

describe.each(Object.entries(PUBLISHED))('the package %s', (name, folder) => {
  test('is published by npm without a warning, and contains its README, its licence and what is built, nothing else', async () => {
    const tarball = project.tarballs[name as keyof typeof PUBLISHED];
    const done = await tryToPublish(project.folder, tarball);
    const warnings = done.stderr.split('\n').filter((line) => line.startsWith('npm warn'));
    // Ignores the warning that nobody is logged in.
    expect(warnings.filter((line) => !line.includes('requires you to be logged in'))).toEqual([]);
    expect(done.status).toBe(0);
    expect(new Set(done.asked)).toEqual(new Set([`GET /@tidewatch%2f${name}`]));

    const listed = project.run('tar', ['--list', '--file', tarball]).stdout.trim().split('\n');
    const unbuilt = listed.filter((path) => !path.startsWith('package/dist/')).toSorted();
    const notices = name === 'client' ? ['package/THIRD-PARTY-LICENSES'] : [];
    expect(unbuilt).toEqual(['package/LICENSE', 'package/README.md', ...notices, 'package/package.json']);
  });

  test('has the version and the licence of the repository, and depends on no private package', () => {
    const read = (path: string) => JSON.parse(readFileSync(path, 'utf8'));
    const [ours, repository] = [read(join(folder, 'package.json')), read(join(ROOT, 'package.json'))];
    expect(ours).toMatchObject({ version: repository.version, license: repository.license });
    expect(ours.private).toBeUndefined();
    expect(readFileSync(join(folder, 'LICENSE'), 'utf8')).toBe(readFileSync(join(ROOT, 'LICENSE'), 'utf8'));
    const needed = Object.keys({ ...ours.dependencies, ...ours.peerDependencies });
    expect(needed.filter((each) => each.startsWith('@tidewatch/'))).toEqual([]);
  });
});

test.each(['eventsource-parser', 'openapi-fetch', 'openapi-typescript-helpers'])(
  'the client carries the licence of %s, which is part of it',
  (name) => {
    const licence = readFileSync(join(ROOT, 'node_modules', name, 'LICENSE'), 'utf8');
    expect(readFileSync(join(PUBLISHED.client, 'THIRD-PARTY-LICENSES'), 'utf8')).toContain(licence.trim());
  },
);
