/** Words of one emphasis. */
export interface Run {
  text: string;
  isStrong: boolean;
}

/** What an analysis consists of; anything else in Markdown is shown as it is spelled. */
export type Block =
  | { kind: 'heading' | 'paragraph'; runs: readonly Run[] }
  | { kind: 'list'; items: readonly (readonly Run[])[] };

const HEADING = /^#{1,6}\s+(.*)$/;
const ITEM = /^(?:[-*+]|\d{1,9}[.)])\s+(.*)$/;
/** A mark of emphasis, or a character that a backslash makes an ordinary one. */
const MARK = /\\([!-/:-@[-`{-~])|\*\*/g;

/** The headings, paragraphs and lists of Markdown, without links, images and HTML. */
export function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = [];
  let paragraph: string[] = [];
  let items: string[] = [];
  const close = () => {
    if (paragraph.length > 0) blocks.push({ kind: 'paragraph', runs: runsOf(paragraph.join(' ')) });
    if (items.length > 0) blocks.push({ kind: 'list', items: items.map(runsOf) });
    paragraph = [];
    items = [];
  };
  for (const line of markdown.split('\n').map((each) => each.trim())) {
    const heading = HEADING.exec(line)?.[1];
    const item = ITEM.exec(line)?.[1];
    if (heading !== undefined) {
      close();
      blocks.push({ kind: 'heading', runs: runsOf(heading) });
    } else if (item !== undefined) {
      if (paragraph.length > 0) close();
      items.push(item);
    } else if (line === '') close();
    else if (items.length > 0) items.push(`${items.pop()} ${line}`);
    else paragraph.push(line);
  }
  close();
  return blocks;
}

function runsOf(text: string): Run[] {
  const runs: Run[] = [];
  let isStrong = false;
  let run = '';
  let end = 0;
  const close = () => {
    if (run !== '') runs.push({ text: run, isStrong });
    run = '';
  };
  for (const match of text.matchAll(MARK)) {
    run += text.slice(end, match.index);
    end = match.index + match[0].length;
    if (match[1] !== undefined) run += match[1];
    else {
      close();
      isStrong = !isStrong;
    }
  }
  run += text.slice(end);
  close();
  return runs;
}
