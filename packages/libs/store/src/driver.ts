/**
 * postgres.js with its faults around a lost connection mended, docs/decisions/0024: every other file takes the
 * driver from here. The text of two of its files is corrected while Node loads them.
 */
import { registerHooks } from 'node:module';
import type postgresModule from 'postgres';

interface Correction {
  /** End of the file's address. */
  file: string;
  replacements: readonly (readonly [from: string, to: string])[];
}

const CORRECTIONS: readonly Correction[] = [
  {
    file: '/postgres/src/connection.js',
    replacements: [
      // A write that was put off must not meet a socket that is gone: nobody could catch what that throws.
      [
        'function nextWrite(fn) {\n',
        `function nextWrite(fn) {
    if (socket === null) {
      clearImmediate(nextWriteTimer)
      chunk = nextWriteTimer = null
      error(Errors.connection('CONNECTION_CLOSED', options, socket))
      return false
    }
`,
      ],
      // What was put off for the old socket must not keep the new one from ever being written to.
      [
        'clearImmediate(nextWriteTimer)\n    if (socket)',
        'clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n    if (socket)',
      ],
      [
        'clearImmediate(nextWriteTimer)\n    socket.removeListener',
        'clearImmediate(nextWriteTimer)\n    chunk = nextWriteTimer = null\n    socket.removeListener',
      ],
    ],
  },
  {
    file: '/postgres/src/index.js',
    replacements: [
      // A transaction whose connection closed is over: nothing of it may run on the connection that follows.
      [
        'let savepoints = 0\n      , connection\n',
        'let savepoints = 0\n      , lost = null\n      , connection\n',
      ],
      [
        'new Promise((_, reject) => connection.onclose = reject)\n      ])\n    } catch',
        'new Promise((_, reject) => connection.onclose = e => reject(lost = e))\n      ])\n    } catch',
      ],
      [
        'q.catch(e => uncaughtError || (uncaughtError = e))\n        c.queue === full',
        'q.catch(e => uncaughtError || (uncaughtError = e))\n        lost !== null ? q.reject(lost) : c.queue === full',
      ],
    ],
  },
];

/** Throws where the text is not the one that the corrections were made for. */
export function correct(source: string, { file, replacements }: Correction): string {
  return replacements.reduce((text, [from, to]) => {
    if (text.split(from).length !== 2) {
      throw new Error(`${file} is another version than packages/libs/store/src/driver.ts corrects`);
    }
    return text.replace(from, () => to);
  }, source);
}

const hooks = registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context);
    const correction = CORRECTIONS.find(({ file }) => url.endsWith(file));
    if (correction === undefined) return loaded;
    const source = loaded.source ?? '';
    const text = typeof source === 'string' ? source : Buffer.from(source as Uint8Array).toString('utf8');
    return { ...loaded, source: correct(text, correction) };
  },
});
const loaded = await import('postgres');
hooks.deregister();

export const postgres = loaded.default as unknown as typeof postgresModule;
