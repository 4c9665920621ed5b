import { hash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.json': 'application/json; charset=utf-8',
};

export type Encoding = 'br' | 'gzip';

export interface Asset {
  type: string;
  /** The forms that the build has written besides the plain one. */
  encodings: ReadonlySet<Encoding>;
}

/** A built console: its HTML, and the closed set of its other files. */
export interface BuiltConsole {
  html: { body: Buffer; tag: string };
  icon: { body: Buffer; tag: string };
  /** By name, such as `index-hGT3le33.js`. */
  assets: ReadonlyMap<string, Asset>;
  /** Reads an asset once; `name` has to be one of `assets`. */
  readAsset(name: string, encoding: Encoding | null): Promise<Buffer>;
}

const SUFFIXES: Readonly<Record<Encoding, string>> = { br: '.br', gzip: '.gz' };

/** Reads the folder of a finished build; undefined if there is none. Throws if the folder cannot be read. */
export async function readBuiltConsole(folder: string): Promise<BuiltConsole | undefined> {
  const html = await readFile(join(folder, 'index.html')).catch(absent);
  if (html === undefined) return undefined;
  const icon = await readFile(join(folder, 'favicon.svg'));
  const files = new Set(await readdir(join(folder, 'assets')));
  const assets = new Map<string, Asset>();
  for (const name of files) {
    const type = TYPES[extname(name)];
    if (type === undefined) continue;
    const encodings = (['br', 'gzip'] as const).filter((each) => files.has(name + SUFFIXES[each]));
    assets.set(name, { type, encodings: new Set(encodings) });
  }
  const bodies = new Map<string, Promise<Buffer>>();
  return {
    html: tagged(html),
    icon: tagged(icon),
    assets,
    readAsset(name, encoding) {
      const file = name + (encoding === null ? '' : SUFFIXES[encoding]);
      let body = bodies.get(file);
      if (body === undefined) {
        body = readFile(join(folder, 'assets', file));
        // A file that could not be read is tried again.
        body.catch(() => bodies.delete(file));
        bodies.set(file, body);
      }
      return body;
    },
  };
}

function tagged(body: Buffer): { body: Buffer; tag: string } {
  return { body, tag: `"${hash('sha256', body, 'base64url').slice(0, 22)}"` };
}

function absent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
}
