import { existsSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import posix from 'node:path/posix';

/** Files that must exist at the top level of the repository. */
const TOP_LEVEL = [
  ...['package.json', 'tsconfig.json', 'turbo.json', 'docker-compose.yml', 'README.md', 'packages', 'deploy'],
  ...['.editorconfig', '.nvmrc'],
];

/** Packages whose sources run in browsers: they need JSX and the types of the DOM, which no other package may use. */
const IN_BROWSERS: ReadonlySet<string> = new Set(['packages/apps/console', 'packages/tests/console']);

export interface PackageFiles {
  /** The folder of the package, relative to the root, such as `packages/libs/domain`. */
  folder: string;
  name: string;
  scripts: Readonly<Record<string, string>>;
  /** The README of the package; undefined if there is none. */
  readme: string | undefined;
  tsconfig: { extends?: string; compilerOptions?: object } | undefined;
}

/** The scripts that each package must have, for itself and for turbo. */
export function expectedScripts(folder: string): Record<string, string> {
  const launcher = posix.relative(folder, 'packages/tools/src/launch.mjs');
  return {
    test: `node ${launcher} packages/tools/src/test.ts --passWithNoTests ${folder}/`,
    typecheck: 'tsc --project .',
  };
}

/** Returns a sentence for each rule that a package breaks. */
export function brokenRules({ folder, name, scripts, readme, tsconfig }: PackageFiles): string[] {
  const wrong = Object.entries(expectedScripts(folder))
    .filter(([script, command]) => scripts[script] !== command)
    .map(([script, command]) => `the script "${script}" has to be: ${command}`);
  if (!readme?.startsWith(`# ${name}\n`) || !/\bimports?\b/.test(readme) || !readme.includes('npm '))
    wrong.push(`README.md has to begin with "# ${name}" and say what it is, may import, and runs its tests`);
  const hasOptions = tsconfig?.compilerOptions !== undefined && !IN_BROWSERS.has(folder);
  if (tsconfig?.extends !== posix.relative(folder, 'tsconfig.json') || hasOptions)
    wrong.push('tsconfig.json has to extend that of the root and set no options of its own');
  return wrong.map((rule) => `${folder}: ${rule}`);
}

/** Returns a line for each rule that a package or the root folder breaks. */
export async function brokenPackageRules(root: string): Promise<string[]> {
  const missing = TOP_LEVEL.filter((name) => !existsSync(join(root, name)));
  const broken = missing.map((name) => `${name} is missing at the top level`);
  const manifests = ['packages/{libs,services,apps,tests}/*/package.json', 'packages/tools/package.json'];
  for await (const file of glob(manifests, { cwd: root })) {
    const folder = posix.dirname(file);
    const read = (name: string) => readFile(join(root, folder, name), 'utf8').catch(() => undefined);
    const [readme, tsconfig] = [await read('README.md'), await read('tsconfig.json')];
    const { name, scripts = {} } = JSON.parse((await read('package.json')) ?? '{}');
    broken.push(
      ...brokenRules({ folder, name, scripts, readme, tsconfig: tsconfig && JSON.parse(tsconfig) }),
    );
  }
  return broken.sort();
}
