// Builds the agent as an executable and its packages: npm run build:agent
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { AGENT_RELEASE_FILE } from '@tidewatch/contracts/agent/agent-release';
import {
  compressExecutable,
  readSigningKey,
  readUpdateKey,
  updateKeyOf,
  writeRelease,
} from './agent-release.ts';
import { buildExecutable } from './build-executable.ts';
import { buildPackages, writeSums } from './build-packages.ts';
import { bundleAgent, licencesOf } from './bundle-agent.ts';
import { nodeProgram, PROCESSORS, type Processor } from './node-program.ts';

const USAGE = `Builds the agent for Linux: an executable, a tarball, a Debian package and their SHA-256.

  npm run build:agent -- --processor x64

  --processor NAME  x64 or arm64; repeatable; that of this machine by default
  --out FOLDER      folder of the results; packages/apps/agent/dist by default
  --signing-key FILE  private Ed25519 key (PEM) that signs the version for tidewatch-agent update, and whose public
                    key is built into the agent; without one the agent refuses to update itself
  --update-key FILE  public key (PEM) to build in, where it is not that of --signing-key
  --version VERSION the version, such as 1.2.3; that of package.json by default
  --no-packages     builds the executable alone
  --compression N   level of xz, 0 (a few seconds, 37 MB) to 9 (a minute or more, 27 MB); 6 by default
`;
const root = resolve(import.meta.dirname, '../../../..');

function readArguments() {
  const options = {
    processor: { type: 'string', multiple: true },
    out: { type: 'string' },
    'signing-key': { type: 'string' },
    'update-key': { type: 'string' },
    version: { type: 'string' },
    'no-packages': { type: 'boolean' },
    compression: { type: 'string', default: '6' },
    help: { type: 'boolean' },
  } as const;
  const { values } = parseArgs({ options });
  const processors = values.processor ?? [process.arch];
  const wrong = processors.find((name) => !(name in PROCESSORS));
  if (wrong !== undefined)
    throw new Error(`--processor ${wrong}: allowed are ${Object.keys(PROCESSORS).join(' and ')}`);
  const { compression } = values;
  if (!/^[0-9]$/.test(compression)) throw new Error(`--compression ${compression}: allowed is 0 to 9`);
  const called = process.env.INIT_CWD ?? '.';
  const version = values.version ?? JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version;
  if (!/^\d+\.\d+\.\d+$/.test(version))
    throw new Error(`--version ${version}: allowed are versions such as 1.2.3`);
  const keyFile = values['signing-key'];
  const signingKey = keyFile === undefined ? undefined : readSigningKey(resolve(called, keyFile));
  const own = signingKey === undefined ? null : updateKeyOf(signingKey);
  const updateKeyFile = values['update-key'];
  return {
    processors: processors as Processor[],
    out: resolve(called, values.out ?? join(root, 'packages/apps/agent/dist')),
    signingKey,
    updateKey: updateKeyFile === undefined ? own : readUpdateKey(resolve(called, updateKeyFile)),
    version: version as string,
    packages: !values['no-packages'],
    compression,
    help: values.help,
  };
}

async function build() {
  const { processors, out, packages, compression, help, signingKey, updateKey, version } = readArguments();
  if (help) return process.stdout.write(USAGE);
  const cache = join(root, 'node_modules/.cache/tidewatch/agent');
  const work = join(cache, `work-${process.pid}`);
  mkdirSync(out, { recursive: true });
  const results = join(work, 'results');
  mkdirSync(results, { recursive: true });
  try {
    const bundle = await bundleAgent(root, { version, updateKey });
    const files: string[] = [];
    const updates: string[] = [];
    for (const processor of processors) {
      const node = await nodeProgram(root, processor, cache);
      const executable = join(results, `tidewatch-agent-linux-${processor}`);
      await buildExecutable({ bundle, node: node.path, processor, work, path: executable });
      updates.push(await compressExecutable(executable, compression));
      files.push(executable);
      if (!packages) continue;
      const licences = licencesOf(bundle, node.licence);
      files.push(
        ...(await buildPackages({
          root,
          executable,
          licences,
          version,
          processor,
          compression,
          work,
          out: results,
        })),
      );
    }
    const release = join(results, AGENT_RELEASE_FILE);
    writeRelease(updates, version, signingKey, release);
    finish([...files, ...updates], out, [join(results, 'SHA256SUMS'), release]);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Moves the results to their folder once all are complete, the sums and the description last. */
function finish(files: readonly string[], out: string, [sums, release]: [string, string]): void {
  writeSums(files, sums);
  for (const file of [...files, sums, release]) {
    const path = join(out, file.slice(file.lastIndexOf('/') + 1));
    const bytes = statSync(file).size;
    if (existsSync(path)) rmSync(path);
    renameSync(file, path);
    console.log(`${path}  ${(bytes / 1e6).toFixed(1)} MB`);
  }
}

await build();
