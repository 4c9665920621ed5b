import { glob, readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { join } from 'node:path';

const IMPORT = /(?:^|[;{}\s])(?:import|export)\s(?:[^'"`;]*?\sfrom\s*)?['"]([^'"\s]+)['"]/g;
const DYNAMIC_IMPORT = /\bimport\(\s*['"]([^'"\s]+)['"]/g;

/** The names of the packages that a module imports, including types; not relative paths and Node's own modules. */
export function packagesImportedBy(source: string): Set<string> {
  const names = new Set<string>();
  for (const pattern of [IMPORT, DYNAMIC_IMPORT]) {
    for (const [, specifier = ''] of source.matchAll(pattern)) {
      if (specifier.startsWith('.') || isBuiltin(specifier)) continue;
      const parts = specifier.split('/');
      names.add(parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/'));
    }
  }
  return names;
}

/** Packages that a workspace imports and its package.json does not declare, one line for each. */
export async function undeclaredImports(root: string): Promise<string[]> {
  const { workspaces } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    workspaces: string[];
  };
  const missing: string[] = [];
  for await (const file of glob(
    workspaces.map((folder) => `${folder}/package.json`),
    { cwd: root },
  )) {
    const folder = file.slice(0, -'/package.json'.length);
    const { name, dependencies, devDependencies } = JSON.parse(await readFile(join(root, file), 'utf8'));
    const declared = new Set([name, ...Object.keys({ ...dependencies, ...devDependencies })]);
    const used = new Map<string, string>();
    for await (const module of glob(`${folder}/{src,build}/**/*.{ts,tsx,mjs}`, { cwd: root })) {
      for (const each of packagesImportedBy(await readFile(join(root, module), 'utf8')))
        if (!declared.has(each)) used.set(each, used.get(each) ?? module);
    }
    for (const [each, module] of used)
      missing.push(`${file}: ${module} imports ${each}, which is not declared`);
  }
  return missing.sort();
}
