import { createHash } from 'node:crypto';

/** Less than and greater than are spelled as escapes, so that nothing inside can look like the end of the block. */
export function inertJson(value: unknown): string {
  return JSON.stringify(value).replace(/[<>]/g, (sign) => (sign === '<' ? '\\u003c' : '\\u003e'));
}

/**
 * JSON between marks that only we could have written: their name is a digest of what they hold, which nobody who chose
 * a part of it could know. The same data make the same block.
 */
export function dataBlock(value: unknown): { name: string; text: string } {
  const json = inertJson(value);
  const name = `data-${createHash('sha256').update(json).digest('hex').slice(0, 16)}`;
  return { name, text: `<${name}>\n${json}\n</${name}>` };
}
