import { visibleText } from './clean-text.ts';
import { redact } from './redact.ts';

const ADDRESS = /[a-z][a-z0-9+.-]*:\/\/\S*|www\.\S*|(?:mailto|xmpp|javascript|data):\S+/giu;
const MAIL = /(?<=[\w.+-])@(?=[\w-]+(?:\.[\w-]+)+)/gu;

/**
 * What a model wrote, as words and nothing else: one visible line without addresses, secrets, HTML, links, images or any
 * other mark that Markdown or a chat program would turn into something. Brackets become parentheses, so that only we cite.
 */
export function plainWords(text: string): string {
  return (
    redact(visibleText(text))
      .replace(/[[{]/g, '(')
      .replace(/[\]}]/g, ')')
      .replace(/</g, '‹')
      .replace(/>/g, '›')
      .replace(/[`|\\]/g, "'")
      .replace(/[*~^]+/g, '')
      .replace(/&/g, ' and ')
      .replace(/(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, '')
      .replace(/!\(/g, '(')
      // Last, since what was removed may have kept the letters of an address apart.
      .replace(ADDRESS, '(address removed)')
      .replace(MAIL, '(at)')
      .replace(/^[\s#+=:.)-]+|^\d+[.)]\s+/gu, '')
      .replace(/\s+/g, ' ')
      .trim()
  );
}
