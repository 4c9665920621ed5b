import { chmodSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inject } from 'postject';
import type { Bundle } from './bundle-agent.ts';
import { signAdHoc } from './macho-signature.ts';
import { runProgram } from './run-program.ts';
import type { PlannedBuild } from './targets.ts';

/**
 * What Node runs the agent with. The agent needs little of the processor and should need little memory, so nothing is compiled
 * to machine code, and the part of the heap for new objects is small. --expose-gc lets it release memory after its start. Node's
 * own start-up snapshot has 4 MB of modules that the agent does not use.
 */
const NODE_FLAGS = [
  '--jitless',
  '--lite-mode',
  '--optimize-for-size',
  '--max-semi-space-size=1',
  '--v8-pool-size=0',
  '--no-node-snapshot',
  '--expose-gc',
  '--no-warnings',
];
/** By this text in its program Node knows whether a script was added. */
const FUSE = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';
/** Where Node looks for its section in a Mach-O file. */
const MACHO_SEGMENT = 'NODE_SEA';
const IDENTIFIER = 'tidewatch-agent';

export interface ExecutableOptions {
  bundle: Bundle;
  /** The Node of the target. */
  node: string;
  build: PlannedBuild;
  /** A folder for intermediate files. */
  work: string;
  /** The path of the executable. */
  path: string;
}

/**
 * Builds one executable of the bundle and of Node: a single executable application. Neither a snapshot nor compiled code is part
 * of it, since both would have to be made on the target's processor. Rejects if a program fails.
 */
export async function buildExecutable({ bundle, node, build, work, path }: ExecutableOptions): Promise<void> {
  const main = join(work, 'agent.cjs');
  const output = join(work, 'agent.blob');
  const config = join(work, 'executable.json');
  writeFileSync(main, bundle.code);
  writeFileSync(
    config,
    JSON.stringify({
      main,
      output,
      disableExperimentalSEAWarning: true,
      execArgv: NODE_FLAGS,
      // Otherwise NODE_OPTIONS could have the agent run other code.
      execArgvExtension: 'none',
    }),
  );
  await runProgram(process.execPath, ['--experimental-sea-config', config]);
  copyFileSync(node, path);
  chmodSync(path, 0o755);
  await removeSymbols(path, build);
  const isMacos = build.platform === 'darwin';
  await inject(path, 'NODE_SEA_BLOB', readFileSync(output), {
    sentinelFuse: FUSE,
    ...(isMacos && { machoSegmentName: MACHO_SEGMENT }),
  });
  // What was added has made the signature of Node invalid.
  if (isMacos) writeFileSync(path, signAdHoc(readFileSync(path), IDENTIFIER));
}

/** Removes the symbols for debuggers, 18 MB on Linux. Does without where no `strip` for the processor is installed. */
async function removeSymbols(path: string, { strip, target }: PlannedBuild): Promise<void> {
  if (strip === null) return;
  const program = target === `${process.platform}-${process.arch}` ? 'strip' : strip;
  try {
    await runProgram(program, [path]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    process.stderr.write(
      `${program} is not installed (Debian: binutils, or binutils-aarch64-linux-gnu): ` +
        'the executable keeps the symbols for debuggers, 18 MB.\n',
    );
  }
}
