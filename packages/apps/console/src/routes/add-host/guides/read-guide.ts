/** A paragraph, a list or a block of code of a guide. Texts have no links, and code between backticks. */
export type GuideBlock =
  | { kind: 'text'; text: string }
  | { kind: 'list'; items: string[] }
  | { kind: 'code'; code: string };

/** What a guide of docs/agents says before its first section: how the agent is set up. */
export interface Guide {
  title: string;
  blocks: GuideBlock[];
}

/** What stands in guides for the address of Tidewatch, and for a key. */
const ADDRESS = 'https://monitor.example';
const KEY = 'tw_…';

/** Reads a guide in Markdown: its title, paragraphs, lists and blocks of code until the first heading of a section. */
export function readGuide(markdown: string): Guide {
  const [introduction = ''] = markdown.split(/^## /m);
  const [, title = '', rest = ''] = /^# (.+)\n([\s\S]*)$/.exec(introduction) ?? [];
  const pieces = rest.split(/^```.*\n([\s\S]*?)^```$/m);
  const blocks = pieces.flatMap((piece, index): GuideBlock[] =>
    index % 2 === 1 ? [{ kind: 'code', code: piece.trimEnd() }] : readTexts(piece),
  );
  return { title, blocks };
}

function readTexts(piece: string): GuideBlock[] {
  return piece
    .split(/\n{2,}/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')
    .map((paragraph) =>
      paragraph.startsWith('- ')
        ? { kind: 'list', items: paragraph.slice(2).split(/\n- /).map(plain) }
        : { kind: 'text', text: plain(paragraph) },
    );
}

/** One line, with the words of links in place of the links. */
function plain(text: string): string {
  return text.replace(/\[([^\]]+)\]\([^)]*\)/g, '$1').replace(/\s*\n\s*/g, ' ');
}

/** Whether the guide says where samples are sent, so that it can be followed with an address. */
export function hasAddress({ blocks }: Guide): boolean {
  return blocks.some((block) => block.kind === 'code' && block.code.includes(ADDRESS));
}

/** Whether the guide shows where the key goes. */
export function hasKey({ blocks }: Guide): boolean {
  return blocks.some((block) => block.kind === 'code' && block.code.includes(KEY));
}

/** A block of code of a guide with the address of a Tidewatch and the secret of a key. A port that the guide names stays. */
export function filledIn(code: string, url: string, secret: string): string {
  const { protocol, hostname } = new URL(url);
  return code
    .replaceAll(new RegExp(`${ADDRESS}(?=:\\d)`, 'g'), `${protocol}//${hostname}`)
    .replaceAll(ADDRESS, url)
    .replaceAll(KEY, secret);
}
