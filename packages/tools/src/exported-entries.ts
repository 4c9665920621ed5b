import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import posix from 'node:path/posix';

const MANIFESTS = ['packages/{libs,services,apps,tests}/*/package.json', 'packages/tools/package.json'];
const ENTRY = /['"`](@tidewatch\/[a-z0-9-]+)\/([a-z0-9/._-]+)['"`]/g;

export interface PackageExports {
  name: string;
  /** The folder of the package, relative to the root, such as `packages/libs/domain`. */
  folder: string;
  /** The `exports` of the package.json; undefined if there are none, which would export everything. */
  exports: Readonly<Record<string, unknown>> | undefined;
}

/** The entry points that a source names, each as the name of the package and the path in it. */
export function entriesNamedBy(source: string): [name: string, path: string][] {
  return [...source.matchAll(ENTRY)].map(([, name = '', path = '']) => [name, path]);
}

/**
 * Exports that no other package imports, one sentence for each. `imported` are the imported paths. A pattern must begin
 * with a folder, because one for the whole package would export its internals.
 */
export function needlessExports(
  { name, folder, exports }: PackageExports,
  imported: ReadonlySet<string>,
): string[] {
  if (exports === undefined)
    return [`${folder}: package.json needs "exports", {} where others import nothing`];
  return Object.keys(exports).flatMap((entry) => {
    if (entry === './*') return [`${folder}: "./*" exports everything; list entry points or folders`];
    if (exports[entry] === null) return [];
    const [before = '', after] = entry.slice(2).split('*');
    const isUsed = [...imported].some((path) =>
      after === undefined ? path === before : path.startsWith(before) && path.endsWith(after),
    );
    return isUsed ? [] : [`${folder}: no other package imports ${posix.join(name, entry)}; do not export it`];
  });
}

/** Returns the needless exports of all packages, except published packages, which other projects import. */
export async function faultsOfExports(root: string): Promise<string[]> {
  const packages: PackageExports[] = [];
  for await (const file of glob(MANIFESTS, {
    cwd: root,
  })) {
    const { name, private: isPrivate, exports } = JSON.parse(await readFile(join(root, file), 'utf8'));
    if (isPrivate === true && name !== undefined)
      packages.push({ name, folder: posix.dirname(file), exports });
  }
  const imported = new Map(packages.map(({ name }) => [name, new Set<string>()]));
  for await (const file of glob('packages/**/src/**/*.{ts,tsx,mjs}', { cwd: root })) {
    const own = packages.find(({ folder }) => file.startsWith(`${folder}/`))?.name;
    for (const [name, path] of entriesNamedBy(await readFile(join(root, file), 'utf8')))
      if (name !== own) imported.get(name)?.add(path);
  }
  return packages.flatMap((each) => needlessExports(each, imported.get(each.name) ?? new Set())).sort();
}
