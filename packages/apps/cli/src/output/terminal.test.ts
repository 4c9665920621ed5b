import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { elastic } from './table.ts';
import { createTerminal } from './terminal.ts';

/** Streams that behave like a terminal with this number of columns, or like a pipe without `columns`. */
function streams(columns?: number) {
  const stdout = new PassThrough();
  const hasColors = (env: NodeJS.ProcessEnv) => env.NO_COLOR === undefined;
  const seen = columns === undefined ? stdout : Object.assign(stdout, { isTTY: true, columns, hasColors });
  return { stdout: seen, stderr: new PassThrough() };
}

it('the terminal colours, indents and truncates output only when it is interactive', async () => {
  for (const [columns, env, expected] of [
    [20, {}, '\u001b[31mx\u001b[39m{\n  "a": 1\n}\n\u001b[90mT\u001b[39m\naaaaaaaaaaaaaaaaaaa…\n'],
    [20, { NO_COLOR: '1' }, 'x{\n  "a": 1\n}\nT\naaaaaaaaaaaaaaaaaaa…\n'],
    [undefined, {}, `x{"a":1}\nT\n${'a'.repeat(30)}\n`],
  ] as const) {
    const { stdout, stderr } = streams(columns);
    const terminal = createTerminal(stdout, stderr, env);
    await terminal.print(terminal.paint('red', 'x'));
    await terminal.json({ a: 1 });
    await terminal.table([elastic('T')], [['a'.repeat(30)]]);
    stdout.end();
    expect(await text(stdout)).toBe(expected);
  }
});

it('the terminal waits for a slow reader of its output', async () => {
  const { stdout, stderr } = streams();
  const terminal = createTerminal(stdout, stderr, {});
  let written = false;
  const printing = terminal.print('x'.repeat(1_000_000)).then(() => {
    written = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  expect(written).toBe(false);
  stdout.resume();
  await printing;
  expect(written).toBe(true);
});

it('the terminal writes remarks to standard error', async () => {
  const { stdout, stderr } = streams();
  createTerminal(stdout, stderr, {}).note('remark');
  stdout.end();
  stderr.end();
  expect([await text(stdout), await text(stderr)]).toEqual(['', 'remark\n']);
});
