import { EXIT } from './exit-code.ts';
import { runCommand } from './run.ts';

/** The max time that a command may take to stop after Ctrl-C, ms. */
const GRACE_MS = 2_000;

const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    interrupted.abort();
    setTimeout(() => process.exit(EXIT.interrupted), GRACE_MS).unref();
  });
}

// A reader such as `| head` closes the pipe early.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? EXIT.done : EXIT.failed);
});
process.stderr.on('error', () => undefined);

const code = await runCommand({
  args: process.argv.slice(2),
  env: process.env,
  // npm runs scripts in the root of the checkout; INIT_CWD is the folder of the user.
  directory: process.env.INIT_CWD ?? process.cwd(),
  input: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  clock: Date.now,
  signal: interrupted.signal,
});
process.exitCode = code;
// An open standard input would keep the process alive.
process.stdin.destroy();
