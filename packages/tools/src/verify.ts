import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { faultsOfSizes } from './console-sizes.ts';
import { faultsOfConsole } from './console-sources.ts';
import { undeclaredImports } from './declared-imports.ts';
import { faultsOfChangelog } from './documents/changelog.ts';
import { faultsOfDecisions } from './documents/decision-index.ts';
import { missingPaths } from './documents/document-paths.ts';
import { faultsOfExports } from './exported-entries.ts';
import { faultsOfLength } from './file-length.ts';
import { faultsOfFolders } from './folder-size.ts';
import { misnumberedMigrations } from './migration-numbers.ts';
import { brokenPackageRules } from './package-rules.ts';
import { faultsOfPatches } from './patched-libraries.ts';
import { replacedWords } from './vocabulary/check.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

interface Check {
  name: string;
  /** `skipped` says why something could not be checked. */
  run(): Promise<{ ok: boolean; output: string; skipped?: string }>;
}

function command(name: string, program: string, args: string[]): Check {
  return {
    name,
    run: () =>
      new Promise((resolve) => {
        const child = spawn(process.execPath, [program, ...args], {
          cwd: root,
          stdio: ['ignore', 'pipe', 'pipe'],
        });
        let output = '';
        child.stdout.on('data', (text) => {
          output += text;
        });
        child.stderr.on('data', (text) => {
          output += text;
        });
        child.on('close', (code) => resolve({ ok: code === 0, output }));
      }),
  };
}

/** A check that finds nothing where all is well; its output are the lines that it finds. */
function finds(name: string, find: (root: string) => Promise<string[]> | string[]): Check {
  return {
    name,
    run: async () => {
      const found = await find(root);
      return { ok: found.length === 0, output: found.join('\n') };
    },
  };
}

const modules = join(root, 'node_modules');
const checks: Check[] = [
  command('format, lint and import rules', join(modules, '@biomejs/biome/bin/biome'), [
    'ci',
    '--colors=off',
    '.',
  ]),
  command('types', join(modules, 'typescript/bin/tsc'), ['-p', 'tsconfig.json', '--pretty', 'false']),
  ...['packages/apps/console', 'packages/tests/console'].map((folder) =>
    command(`types of ${folder}`, join(modules, 'typescript/bin/tsc'), ['-p', folder, '--pretty', 'false']),
  ),
  command(
    'openapi.json and docs/api.md are up to date',
    join(root, 'packages/libs/contracts/src/document/generate-openapi.ts'),
    ['--check'],
  ),
  command(
    'types of the client are up to date',
    join(root, 'packages/libs/api-client/src/generate-types.ts'),
    ['--check'],
  ),
  finds('paths, links, anchors and scripts that documents name', missingPaths),
  finds('the changelog keeps its form', faultsOfChangelog),
  finds('decision records and their index agree', faultsOfDecisions),
  finds('migrations are numbered without gaps', misnumberedMigrations),
  finds('vocabulary of the glossary', replacedWords),
  finds('libraries have their patches, and patches their reasons', faultsOfPatches),
  finds('sources have at most 300 lines', faultsOfLength),
  finds('folders have at most 20 sources', faultsOfFolders),
  finds('packages export what others import, and nothing else', faultsOfExports),
  finds(
    'the console has its colours, numbers and times in one place each, and sets no HTML',
    faultsOfConsole,
  ),
  {
    name: 'sizes of the console',
    run: async () => {
      const { faults, skipped } = await faultsOfSizes(root, ['true', '1'].includes(process.env.CI ?? ''));
      return { ok: faults.length === 0, output: faults.join('\n'), ...(skipped && { skipped }) };
    },
  },
  finds('every package has its scripts, README and TypeScript configuration', brokenPackageRules),
  finds('packages that are imported are declared', undeclaredImports),
];

const results = await Promise.all(
  checks.map(async (check) => ({ name: check.name, ...(await check.run()) })),
);
for (const { name, ok, output, skipped } of results) {
  console.log(`${ok ? 'ok    ' : 'FAILED'} ${name}${skipped ? `: not checked, ${skipped}` : ''}`);
  if (!ok) {
    console.log(output.trimEnd().replace(/^/gm, '       '));
  }
}
process.exitCode = results.every((result) => result.ok) ? 0 : 1;
