import { createHash } from 'node:crypto';

/** JSON with < and > as escapes, so that no content can look like the end of a block. */
export function inertJson(value: unknown): string {
  return JSON.stringify(value).replace(/[<>]/g, (sign) => (sign === '<' ? '\\u003c' : '\\u003e'));
}

/**
 * JSON between marks whose name is a digest of the content, so that names and texts inside cannot contain the mark. The
 * same data give the same block.
 */
export function dataBlock(value: unknown): { name: string; text: string } {
  const json = inertJson(value);
  const name = `data-${createHash('sha256').update(json).digest('hex').slice(0, 16)}`;
  return { name, text: `<${name}>\n${json}\n</${name}>` };
}
