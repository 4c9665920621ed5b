// Builds the agent as an executable and its packages: npm run build:agent
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildExecutable } from './build-executable.ts';
import { buildPackages, writeSums } from './build-packages.ts';
import { bundleAgent, licencesOf } from './bundle-agent.ts';
import { nodeProgram, PROCESSORS, type Processor } from './node-program.ts';

const USAGE = `Builds the agent for Linux: an executable, a tarball, a Debian package and their SHA-256.

  npm run build:agent -- --processor x64

  --processor NAME  x64 or arm64; repeatable; that of this machine by default
  --out FOLDER      folder of the results; packages/apps/agent/dist by default
  --no-packages     builds the executable alone
  --compression N   level of xz, 0 (a few seconds, 37 MB) to 9 (a minute or more, 27 MB); 6 by default
`;
const root = resolve(import.meta.dirname, '../../../..');

function readArguments() {
  const options = {
    processor: { type: 'string', multiple: true },
    out: { type: 'string' },
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
  const out = resolve(process.env.INIT_CWD ?? '.', values.out ?? join(root, 'packages/apps/agent/dist'));
  const packages = !values['no-packages'];
  return { processors: processors as Processor[], out, packages, compression, help: values.help };
}

async function build() {
  const { processors, out, packages, compression, help } = readArguments();
  if (help) return process.stdout.write(USAGE);
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const cache = join(root, 'node_modules/.cache/tidewatch/agent');
  const work = join(cache, `work-${process.pid}`);
  mkdirSync(out, { recursive: true });
  const results = join(work, 'results');
  mkdirSync(results, { recursive: true });
  try {
    const bundle = await bundleAgent(root);
    const files: string[] = [];
    for (const processor of processors) {
      const node = await nodeProgram(root, processor, cache);
      const executable = join(results, `tidewatch-agent-linux-${processor}`);
      await buildExecutable({ bundle, node: node.path, processor, work, path: executable });
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
    finish(files, out, join(results, 'SHA256SUMS'));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Moves the results to their folder once all are complete, the sums last. */
function finish(files: readonly string[], out: string, sums: string): void {
  writeSums(files, sums);
  for (const file of [...files, sums]) {
    const path = join(out, file.slice(file.lastIndexOf('/') + 1));
    const bytes = statSync(file).size;
    if (existsSync(path)) rmSync(path);
    renameSync(file, path);
    console.log(`${path}  ${(bytes / 1e6).toFixed(1)} MB`);
  }
}

await build();
