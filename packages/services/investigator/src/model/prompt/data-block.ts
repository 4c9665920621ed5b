import { createHash } from 'node:crypto';
import { inertJson } from '@tidewatch/domain/prompt-text/inert-json';

/**
 * JSON between delimiters whose name is a digest of the content, so that no text inside can contain them. Equal data gives
 * equal blocks.
 */
export function dataBlock(value: unknown): { name: string; text: string } {
  const json = inertJson(value);
  const name = `data-${createHash('sha256').update(json).digest('hex').slice(0, 16)}`;
  return { name, text: `<${name}>\n${json}\n</${name}>` };
}
