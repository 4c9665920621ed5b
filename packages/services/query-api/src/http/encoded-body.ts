import type { Request, Response } from 'express';

export type Encoding = 'br' | 'gzip';

/** Compresses a whole body, in a thread of the runtime. */
export type Compress = Readonly<Record<Encoding, (body: Buffer) => Promise<Buffer>>>;

/** Smaller bodies fit into two packets and are not compressed, bytes. */
const MIN_COMPRESSED = 2_048;

/** A body that several requests share: it is compressed once in each encoding, at the first request for it. */
export class EncodedBody {
  readonly body: Buffer;
  readonly tag: string;
  readonly #compress: Compress;
  readonly #compressed = new Map<Encoding, Promise<Buffer>>();

  /** `tag` is the strong entity tag of the body, in quotes. */
  constructor(body: Buffer, tag: string, compress: Compress) {
    this.body = body;
    this.tag = tag;
    this.#compress = compress;
  }

  /** Sends the body in the best encoding that the client accepts; `isCompressible` false: as it is. */
  async send(request: Request, response: Response, isCompressible = true): Promise<void> {
    const encoding = isCompressible ? this.#encodingOf(request) : null;
    response.vary('Accept-Encoding');
    const body = encoding === null ? this.body : await this.#encoded(encoding);
    if (encoding !== null) response.set('Content-Encoding', encoding);
    response.set('Content-Length', String(body.length)).end(body);
  }

  /** The entity tag of what `send` sends: strong tags promise identical bytes, which differ between encodings. */
  tagFor(request: Request, isCompressible = true): string {
    return isCompressible && this.#encodingOf(request) !== null ? `W/${this.tag}` : this.tag;
  }

  #encodingOf(request: Request): Encoding | null {
    if (this.body.length < MIN_COMPRESSED) return null;
    if (request.acceptsEncodings('br') !== false) return 'br';
    return request.acceptsEncodings('gzip') !== false ? 'gzip' : null;
  }

  #encoded(encoding: Encoding): Promise<Buffer> {
    let made = this.#compressed.get(encoding);
    if (made === undefined) {
      made = this.#compress[encoding](this.body);
      this.#compressed.set(encoding, made);
    }
    return made;
  }
}
