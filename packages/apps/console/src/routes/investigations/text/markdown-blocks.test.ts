import { expect, it } from 'vitest';
import { blocksOf } from './markdown-blocks.ts';

const plain = (text: string) => ({ text, isStrong: false });

it('reads headings, paragraphs and lists with strong words', () => {
  const markdown =
    '### What happened\nIt rose.\nThen fell.\n\n- **A job** (0.98). It ran.\n- Another\n  line';
  expect(blocksOf(markdown)).toEqual([
    { kind: 'heading', runs: [plain('What happened')] },
    { kind: 'paragraph', runs: [plain('It rose. Then fell.')] },
    {
      kind: 'list',
      items: [[{ text: 'A job', isStrong: true }, plain(' (0.98). It ran.')], [plain('Another line')]],
    },
  ]);
});

it('shows what is escaped as it is', () => {
  expect(blocksOf('\\<img src=x\\> \\*\\*x\\*\\* a\\_b \\[y\\](z)')).toEqual([
    { kind: 'paragraph', runs: [plain('<img src=x> **x** a_b [y](z)')] },
  ]);
});

it('makes no link, image or HTML of anything', () => {
  const markdown = '[click](javascript:alert(1)) ![](https://evil.example/a.png) <b>x</b>';
  expect(blocksOf(markdown)).toEqual([{ kind: 'paragraph', runs: [plain(markdown)] }]);
});

it('has no blocks for an empty text', () => {
  expect(blocksOf('')).toEqual([]);
});
