import { openBrowser } from './console/open-browser.ts';
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

// Ignores that the reader closed the pipe early, as in `| head`.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  process.exit(error.code === 'EPIPE' ? EXIT.done : EXIT.failed);
});
process.stderr.on('error', () => undefined);

const code = await runCommand({
  args: process.argv.slice(2),
  env: process.env,
  // The folder in which the user called npm (INIT_CWD), because npm runs scripts in the root of the checkout.
  directory: process.env.INIT_CWD ?? process.cwd(),
  input: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  clock: Date.now,
  openBrowser: (url) => openBrowser(url, process.platform, process.env),
  signal: interrupted.signal,
});
process.exitCode = code;
// Closes standard input, which would keep the process alive.
process.stdin.destroy();
