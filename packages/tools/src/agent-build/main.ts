// Builds the agent as an executable and its packages: npm run build:agent
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
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
import { type Bundle, bundleAgent, licencesOf } from './bundle-agent.ts';
import { nodeProgram } from './node-program.ts';
import { type PlannedBuild, planBuilds, TARGETS } from './targets.ts';

const USAGE = `Builds the agent: an executable, a tarball, for Linux a Debian package, and their SHA-256.

  npm run build:agent -- --target linux-x64 --target windows-x64

  --target NAME     ${Object.keys(TARGETS).join(', ')}; repeatable;
                    linux of the processor of this machine by default
  --node TARGET=FOLDER  the Node of a target: an unpacked archive of nodejs.org; macOS needs one
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
    target: { type: 'string', multiple: true },
    node: { type: 'string', multiple: true },
    out: { type: 'string' },
    'signing-key': { type: 'string' },
    'update-key': { type: 'string' },
    version: { type: 'string' },
    'no-packages': { type: 'boolean' },
    compression: { type: 'string', default: '6' },
    help: { type: 'boolean' },
  } as const;
  const { values } = parseArgs({ options });
  const builds = planBuilds(values.target ?? [], values.node ?? [], `linux-${process.arch}`);
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
    builds,
    called,
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
  const given = readArguments();
  const { builds, out, packages, compression, signingKey, updateKey, version, called } = given;
  if (given.help) return process.stdout.write(USAGE);
  const cache = join(root, 'node_modules/.cache/tidewatch/agent');
  // On the file system of the output: files are linked and renamed, so that each appears there whole.
  const work = join(out, `.building-${process.pid}`);
  mkdirSync(out, { recursive: true });
  const results = join(work, 'results');
  mkdirSync(results, { recursive: true });
  const bundles = new Map<string, Bundle>();
  const bundleOf = async ({ platform }: PlannedBuild) => {
    const bundle = bundles.get(platform) ?? (await bundleAgent(root, { version, updateKey, platform }));
    bundles.set(platform, bundle);
    return bundle;
  };
  try {
    const files: string[] = [];
    const updates: string[] = [];
    for (const build of builds) {
      const bundle = await bundleOf(build);
      const node = await nodeProgram(build, { root, cache, called });
      const executable = join(results, `${build.name}${build.suffix}`);
      await buildExecutable({ bundle, node: node.path, build, work, path: executable });
      // The agent updates itself on Linux alone.
      if (build.platform === 'linux') updates.push(await compressExecutable(executable, compression));
      files.push(executable);
      if (!packages) continue;
      const licences = licencesOf(bundle, node.licence);
      const sources = { root, executable, licences };
      files.push(...(await buildPackages({ ...sources, version, build, compression, work, out: results })));
    }
    const release = join(results, AGENT_RELEASE_FILE);
    if (updates.length > 0) writeRelease(updates, version, signingKey, release);
    const sums = join(results, 'SHA256SUMS');
    finish([...files, ...updates], out, updates.length > 0 ? [sums, release] : [sums]);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Moves the results to their folder once all are complete, what describes them last. */
function finish(files: readonly string[], out: string, [sums, ...others]: [string, ...string[]]): void {
  writeSums(files, sums, out);
  for (const file of [...files, sums, ...others]) {
    const path = join(out, basename(file));
    const bytes = statSync(file).size;
    if (existsSync(path)) rmSync(path);
    renameSync(file, path);
    console.log(`${path}  ${(bytes / 1e6).toFixed(1)} MB`);
  }
}

await build();
