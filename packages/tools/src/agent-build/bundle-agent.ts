import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const ENTRY = 'packages/apps/agent/src/main.ts';
const PACKAGE = /^(.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//;

export interface Bundle {
  /** One CommonJS script, which requires modules of Node alone. */
  code: string;
  /** The folders of the libraries that it contains. */
  libraries: string[];
}

/**
 * Bundles the agent for Linux into one script. It is CommonJS, since Node loads every part of the modules that an ECMAScript
 * module imports, such as 10 MB for the WebSocket of `node:http`.
 */
export async function bundleAgent(root: string): Promise<Bundle> {
  const build = await rolldown({
    input: join(root, ENTRY),
    cwd: root,
    platform: 'node',
    // What is for other systems is left out.
    transform: { define: { 'process.platform': '"linux"' } },
    onLog(level, log) {
      if (level === 'warn') throw new Error(`the bundle is not as it should be: ${log.message}`);
    },
  });
  const { output } = await build.generate({ format: 'cjs', minify: true, codeSplitting: false });
  await build.close();
  const [script] = output;
  if (output.length !== 1) throw new Error(`the bundle has ${output.length} files; only one is allowed`);
  const folders = Object.keys(script.modules).flatMap((path) => PACKAGE.exec(path)?.[1] ?? []);
  return { code: script.code, libraries: [...new Set(folders)].sort() };
}

/** The licences of Node and of the libraries in the bundle, as one text. */
export function licencesOf(bundle: Bundle, nodeLicence: string): string {
  const texts = bundle.libraries.map((folder) => {
    const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const text = file === undefined ? `Licence: ${license}` : readFileSync(join(folder, file), 'utf8').trim();
    return `${name} ${version}\n\n${text}`;
  });
  const node = existsSync(nodeLicence) ? [`Node.js\n\n${readFileSync(nodeLicence, 'utf8').trim()}`] : [];
  return `${[...texts, ...node].join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}
