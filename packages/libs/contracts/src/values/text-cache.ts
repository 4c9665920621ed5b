/** The max number of cached texts. */
const PLACES = 16_384;

/** Caches texts that occur repeatedly, such as names of hosts, so that each is allocated and hashed once. */
export class TextCache {
  readonly #texts: string[] = new Array<string>(PLACES).fill('');

  /** The ASCII text from `start` to `end`. */
  text(bytes: Buffer, start: number, end: number): string {
    let hash = 0;
    for (let at = start; at < end; at += 1) hash = Math.imul(hash, 31) + (bytes[at] as number);
    const place = (hash ^ (hash >>> 14)) & (PLACES - 1);
    const known = this.#texts[place] as string;
    if (known.length === end - start && isText(known, bytes, start)) return known;
    const text = bytes.toString('latin1', start, end);
    this.#texts[place] = text;
    return text;
  }
}

function isText(text: string, bytes: Uint8Array, start: number): boolean {
  for (let index = 0; index < text.length; index += 1)
    if (text.charCodeAt(index) !== bytes[start + index]) return false;
  return true;
}
