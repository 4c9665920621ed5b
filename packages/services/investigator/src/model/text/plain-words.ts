import { visibleText } from '@tidewatch/domain/prompt-text/clean-text';
import { redact } from '@tidewatch/domain/prompt-text/redact';

const ADDRESS = /[a-z][a-z0-9+.-]*:\/\/\S*|www\.\S*|(?:mailto|xmpp|javascript|data):\S+/giu;
const MAIL = /(?<=[\w.+-])@(?=[\w-]+(?:\.[\w-]+)+)/gu;

/**
 * Reduces the text of a model to plain words: one visible line without addresses, secrets, HTML, links, images and
 * Markdown. Brackets become parentheses, so that the model cannot write citations.
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
      // Runs last, because a removed character may have split an address.
      .replace(ADDRESS, '(address removed)')
      .replace(MAIL, '(at)')
      .replace(/^[\s#+=:.)-]+|^\d+[.)]\s+/gu, '')
      .replace(/\s+/g, ' ')
      .trim()
  );
}
