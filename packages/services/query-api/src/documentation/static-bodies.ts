import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request, Response } from 'express';

type Encoding = 'br' | 'gzip';

interface StaticBody {
  body: Buffer;
  tag: string;
  /** Each compressed once, in a thread of the runtime, at the first request. */
  compressed: Map<Encoding, Promise<Buffer>>;
}

/** Smaller bodies fit into two packets and are not compressed, bytes. */
const MIN_COMPRESSED = 2_048;
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

const COMPRESS: Record<Encoding, (body: Buffer) => Promise<Buffer>> = {
  br: (body) => promisify(brotliCompress)(body, BROTLI),
  gzip: (body) => promisify(gzip)(body, { level: 9 }),
};

/** Sends immutable bodies. */
export interface StaticBodies {
  /** Sends the body `name`, which `make` creates at its first use. The set of names is closed. */
  send(
    request: Request,
    response: Response,
    what: { name: string; type: string; make(): string | Buffer },
  ): Promise<void>;
}

/** Bodies that are read, tagged and compressed once, however often they are requested. */
export function createStaticBodies(): StaticBodies {
  const bodies = new Map<string, StaticBody>();

  function bodyOf(name: string, make: () => string | Buffer): StaticBody {
    let known = bodies.get(name);
    if (known === undefined) {
      const made = make();
      const body = typeof made === 'string' ? Buffer.from(made) : made;
      known = { body, tag: `"${hash('sha256', body, 'base64url').slice(0, 22)}"`, compressed: new Map() };
      bodies.set(name, known);
    }
    return known;
  }

  return {
    async send(request, response, { name, type, make }) {
      const known = bodyOf(name, make);
      const encoding = encodingOf(request, type, known.body);
      response.vary('Accept-Encoding');
      response.set({
        'Cache-Control': 'no-cache',
        'Content-Type': type,
        'X-Content-Type-Options': 'nosniff',
      });
      response.set('ETag', encoding === null ? known.tag : `W/${known.tag}`);
      if (request.headers['if-none-match']?.includes(known.tag)) {
        response.status(304).end();
        return;
      }
      if (encoding === null) {
        response.set('Content-Length', String(known.body.length)).end(known.body);
        return;
      }
      const compressed = await compressedBody(known, encoding);
      response.set({ 'Content-Encoding': encoding, 'Content-Length': String(compressed.length) });
      response.end(compressed);
    },
  };
}

function encodingOf(request: Request, type: string, body: Buffer): Encoding | null {
  if (body.length < MIN_COMPRESSED || type.startsWith('image/')) return null;
  if (request.acceptsEncodings('br') !== false) return 'br';
  return request.acceptsEncodings('gzip') !== false ? 'gzip' : null;
}

function compressedBody({ body, compressed }: StaticBody, encoding: Encoding): Promise<Buffer> {
  let made = compressed.get(encoding);
  if (made === undefined) {
    made = COMPRESS[encoding](body);
    compressed.set(encoding, made);
  }
  return made;
}
