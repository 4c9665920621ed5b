import { expect, it } from 'vitest';
import { changelogFaults } from './changelog.ts';

const GOOD = `# Changelog

## [Unreleased]

### Added
- One thing.

## [0.1.0] - 2026-11-30

### Fixed
- Another thing.
`;

it('accepts a changelog in the form of Keep a Changelog', () => {
  expect(changelogFaults(GOOD)).toEqual([]);
});

it.each([
  ['a version without a date', GOOD.replace(' - 2026-11-30', ''), ':8: a version is'],
  [
    'an unreleased version with a number',
    GOOD.replace('[Unreleased]', '[Unreleased] 0.1.0'),
    ':3: a version is',
  ],
  ['a section of another name', GOOD.replace('### Fixed', '### Mended'), ':10: a section is one of'],
  ['an entry without a section', GOOD.replace('### Added\n', ''), ':5: an entry stands below a section'],
  ['an entry that is too long', GOOD.replace('One', 'x'.repeat(300)), ':6: an entry has at most'],
  ['an entry that stands twice', GOOD.replace('Another', 'One'), ':11: the entry is there already'],
  ['no unreleased version', GOOD.replace('## [Unreleased]', '## [0.2.0] - 2026-12-01'), 'is missing'],
])('finds %s', (_, text, fault) => {
  expect(changelogFaults(text)).toContainEqual(expect.stringContaining(fault));
});
