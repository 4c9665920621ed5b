import { describe, expect, it } from 'vitest';
import { decisionFaults } from './decision-index.ts';

const FIRST = {
  file: '0001-first-choice.md',
  text: '# 0001. First choice\n\nStatus: accepted; superseded in part by [0002](0002-second-choice.md)\nDate: 2026-01-02\n',
};
const SECOND = {
  file: '0002-second-choice.md',
  text: '# 0002. Second choice\n\nStatus: accepted\nDate: 2026-01-03\nSupersedes: what [0001](0001-first-choice.md) says of colours\n',
};
const INDEX = `# Decisions

## Colours
| record | date | title | status |
|---|---|---|---|
| [0001](0001-first-choice.md) | 2026-01-02 | First choice | accepted; superseded in part by [0002](0002-second-choice.md) |
| [0002](0002-second-choice.md) | 2026-01-03 | Second choice | accepted |
`;

describe('the index of decisions', () => {
  it('has no fault where each record has one row that says the same', () => {
    expect(decisionFaults([FIRST, SECOND], INDEX)).toEqual([]);
  });

  it('must have a row for each record', () => {
    const third = { file: '0003-third.md', text: '# 0003. Third\n\nStatus: accepted\nDate: 2026-01-04\n' };
    expect(decisionFaults([FIRST, SECOND, third], INDEX)).toEqual([
      expect.stringContaining('| [0003](0003-third.md) | 2026-01-04 | Third | accepted |'),
    ]);
  });

  it('must not list a record twice, or one that does not exist', () => {
    expect(decisionFaults([FIRST, SECOND], INDEX + INDEX)).toHaveLength(2);
    expect(decisionFaults([SECOND], INDEX)).toEqual([expect.stringContaining('0001-first-choice.md')]);
  });

  it('must state the status that the record states', () => {
    const row = INDEX.replace('accepted; superseded in part by [0002](0002-second-choice.md)', 'accepted');
    expect(decisionFaults([FIRST, SECOND], row)).toEqual([expect.stringContaining('First choice')]);
  });
});

describe('a decision record', () => {
  it.each([
    [
      'a heading without its number',
      '# First choice\n\nStatus: accepted\nDate: 2026-01-02\n',
      '# 0001. Title',
    ],
    ['no status', '# 0001. First choice\n\nDate: 2026-01-02\n', 'Status: accepted'],
    ['an unknown status', '# 0001. First choice\n\nStatus: maybe\nDate: 2026-01-02\n', 'Status: accepted'],
    ['no date', '# 0001. First choice\n\nStatus: accepted\n\n', 'Date: YYYY-MM-DD'],
  ])('is refused with %s', (_, text, wanted) => {
    const faults = decisionFaults([{ file: FIRST.file, text }, SECOND], INDEX);
    expect(faults).toContainEqual(expect.stringContaining(wanted));
  });

  it('is superseded only by a record that says so', () => {
    const silent = { ...SECOND, text: SECOND.text.replace(/Supersedes.*\n/, '') };
    expect(decisionFaults([FIRST, silent], INDEX)).toEqual([expect.stringContaining('"Supersedes:"')]);
  });

  it('must not share its number with another', () => {
    const twin = { file: '0002-twin.md', text: '# 0002. Twin\n\nStatus: accepted\nDate: 2026-01-03\n' };
    const index = `${INDEX}| [0002](0002-twin.md) | 2026-01-03 | Twin | accepted |\n`;
    expect(decisionFaults([FIRST, SECOND, twin], index)).toEqual([
      '0002-twin.md: 0002-second-choice.md has the same number',
    ]);
  });
});
