import { hash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Request, Response } from 'express';
import { type Compress, EncodedBody } from '../http/encoded-body.ts';

const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

const COMPRESS: Compress = {
  br: (body) => promisify(brotliCompress)(body, BROTLI),
  gzip: (body) => promisify(gzip)(body, { level: 9 }),
};

/** Sends immutable bodies. */
export interface StaticBodies {
  /** Sends the body `name`, which `make` creates when it is first used. The set of names must be fixed. */
  send(
    request: Request,
    response: Response,
    what: { name: string; type: string; make(): string | Buffer },
  ): Promise<void>;
}

/** Creates a sender of bodies that are read, tagged and compressed only once. */
export function createStaticBodies(): StaticBodies {
  const bodies = new Map<string, EncodedBody>();

  function bodyOf(name: string, make: () => string | Buffer): EncodedBody {
    let known = bodies.get(name);
    if (known === undefined) {
      const made = make();
      const body = typeof made === 'string' ? Buffer.from(made) : made;
      known = new EncodedBody(body, `"${hash('sha256', body, 'base64url').slice(0, 22)}"`, COMPRESS);
      bodies.set(name, known);
    }
    return known;
  }

  return {
    async send(request, response, { name, type, make }) {
      const known = bodyOf(name, make);
      const isCompressible = !type.startsWith('image/');
      response.vary('Accept-Encoding');
      response.set({
        'Cache-Control': 'no-cache',
        'Content-Type': type,
        'X-Content-Type-Options': 'nosniff',
      });
      response.set('ETag', known.tagFor(request, isCompressible));
      if (request.headers['if-none-match']?.includes(known.tag)) {
        response.status(304).end();
        return;
      }
      await known.send(request, response, isCompressible);
    },
  };
}
