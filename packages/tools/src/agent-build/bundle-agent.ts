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

/** What is built into the agent. */
export interface BuiltIn {
  version: string;
  /** The public key that verifies updates (SPKI, DER in base64); null for none. */
  updateKey: string | null;
  /** The system, as Node names it. */
  platform: NodeJS.Platform;
}

/**
 * Bundles the agent for a system into one script. It is CommonJS, since Node loads every part of the modules that an ECMAScript
 * module imports, such as 10 MB for the WebSocket of `node:http`.
 */
export async function bundleAgent(root: string, { version, updateKey, platform }: BuiltIn): Promise<Bundle> {
  const build = await rolldown({
    input: join(root, ENTRY),
    cwd: root,
    platform: 'node',
    // What is for other systems is left out.
    transform: {
      define: {
        'process.platform': JSON.stringify(platform),
        BUILT_VERSION: JSON.stringify(version),
        BUILT_UPDATE_KEY: JSON.stringify(updateKey),
      },
    },
    onLog(level, log) {
      if (level === 'warn') throw new Error(`the bundle is not as it should be: ${log.message}`);
    },
  });
  const { output } = await build.generate({ format: 'cjs', minify: true, codeSplitting: false });
  await build.close();
  const [script] = output;
  if (output.length !== 1) throw new Error(`the bundle has ${output.length} files; only one is allowed`);
  const folders = Object.keys(script.modules).flatMap((path) => PACKAGE.exec(path)?.[1] ?? []);
  return { code: inAscii(script.code), libraries: [...new Set(folders)].sort() };
}

/**
 * The script with every character beyond ASCII as an escape: Node would keep all of a script with one of them in two bytes a
 * character, 0.4 MB more. No template of the script is read raw, where an escape is another text.
 */
function inAscii(code: string): string {
  if (code.includes('String.raw'))
    throw new Error('the bundle reads a template raw: escapes would change it');
  return code.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
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
