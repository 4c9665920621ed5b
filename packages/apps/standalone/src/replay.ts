import { runReplay } from './replay/run.ts';

const leaving = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => leaving.abort());

try {
  const answered = await runReplay({
    args: process.argv.slice(2),
    env: process.env,
    // The folder in which the user called npm (INIT_CWD), because npm runs scripts in the checkout.
    directory: process.env.INIT_CWD ?? process.cwd(),
    signal: leaving.signal,
    clock: Date.now,
    print: (line) => process.stdout.write(`${line}\n`),
  });
  process.exitCode = answered ? 0 : 1;
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 1;
}
