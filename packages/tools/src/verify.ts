import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { faultsOfChangelog } from './changelog.ts';
import { faultsOfSizes } from './console-sizes.ts';
import { faultsOfConsole } from './console-sources.ts';
import { faultsOfDecisions } from './decision-index.ts';
import { undeclaredImports } from './declared-imports.ts';
import { missingPaths } from './document-paths.ts';
import { faultsOfExports } from './exported-entries.ts';
import { faultsOfLength } from './file-length.ts';
import { faultsOfFolders } from './folder-size.ts';
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
  {
    name: 'paths, links, anchors and scripts that documents name',
    run: async () => {
      const missing = await missingPaths(root);
      return { ok: missing.length === 0, output: missing.join('\n') };
    },
  },
  {
    name: 'the changelog keeps its form',
    run: async () => {
      const faults = await faultsOfChangelog(root);
      return { ok: faults.length === 0, output: faults.join('\n') };
    },
  },
  {
    name: 'decision records and their index agree',
    run: async () => {
      const faults = await faultsOfDecisions(root);
      return { ok: faults.length === 0, output: faults.join('\n') };
    },
  },
  {
    name: 'vocabulary of the glossary',
    run: async () => {
      const found = await replacedWords(root);
      return { ok: found.length === 0, output: found.join('\n') };
    },
  },
  {
    name: 'libraries have their patches, and patches their reasons',
    run: async () => {
      const faults = faultsOfPatches(root);
      return { ok: faults.length === 0, output: faults.join('\n') };
    },
  },
  {
    name: 'sources have at most 300 lines',
    run: async () => {
      const faults = await faultsOfLength(root);
      return { ok: faults.length === 0, output: faults.join('\n') };
    },
  },
  {
    name: 'folders have at most 20 sources',
    run: async () => {
      const faults = await faultsOfFolders(root);
      return { ok: faults.length === 0, output: faults.join('\n') };
    },
  },
  {
    name: 'packages export what others import, and nothing else',
    run: async () => {
      const faults = await faultsOfExports(root);
      return { ok: faults.length === 0, output: faults.join('\n') };
    },
  },
  {
    name: 'the console has its colours, numbers and times in one place each, and sets no HTML',
    run: async () => {
      const faults = await faultsOfConsole(root);
      return { ok: faults.length === 0, output: faults.join('\n') };
    },
  },
  {
    name: 'sizes of the console',
    run: async () => {
      const { faults, skipped } = await faultsOfSizes(root, ['true', '1'].includes(process.env.CI ?? ''));
      return { ok: faults.length === 0, output: faults.join('\n'), ...(skipped && { skipped }) };
    },
  },
  {
    name: 'every package has its scripts, README and TypeScript configuration',
    run: async () => {
      const broken = await brokenPackageRules(root);
      return { ok: broken.length === 0, output: broken.join('\n') };
    },
  },
  {
    name: 'packages that are imported are declared',
    run: async () => {
      const missing = await undeclaredImports(root);
      return { ok: missing.length === 0, output: missing.join('\n') };
    },
  },
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
