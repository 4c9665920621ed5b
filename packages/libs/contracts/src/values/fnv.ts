const PRIME = 0x01000193;

/** The hash of an empty text. */
export const FNV_OF_NOTHING = 0x811c9dc5;

/** Continues a hash, FNV-1a over 32 bits, with a text: the result is signed. */
export function fnvWith(hash: number, text: string): number {
  let next = hash;
  for (let index = 0; index < text.length; index += 1) next = Math.imul(next ^ text.charCodeAt(index), PRIME);
  return next;
}
