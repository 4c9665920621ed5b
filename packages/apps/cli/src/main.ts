import { EXIT } from './exit-code.ts';
import { runCommand } from './run.ts';

/** How long a command may take to end after Ctrl-C. */
const GRACE_MS = 2_000;

const leaving = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    leaving.abort();
    setTimeout(() => process.exit(EXIT.interrupted), GRACE_MS).unref();
  });
}

// Whoever read the output has seen enough (`| head`).
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? EXIT.done : EXIT.failed);
});
process.stderr.on('error', () => undefined);

const code = await runCommand({
  args: process.argv.slice(2),
  env: process.env,
  // npm runs scripts in the checkout and tells here where the user stands.
  directory: process.env.INIT_CWD ?? process.cwd(),
  input: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  clock: Date.now,
  signal: leaving.signal,
});
process.exitCode = code;
// What is left of standard input would keep the process.
process.stdin.destroy();
