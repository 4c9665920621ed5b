import { SERVICE_STATUSES } from '@tidewatch/contracts/services/service';
import { SEVERITIES } from '@tidewatch/contracts/values/severity';
import { expect, it } from 'vitest';
import { SHAPE_CHARACTERS, STATUS_KINDS, statusKind } from './status-kinds.ts';

it.each([...SERVICE_STATUSES, ...SEVERITIES])('the status %s has a shape', (word) => {
  expect(statusKind(word)).toBe(word);
  expect(SHAPE_CHARACTERS[STATUS_KINDS[statusKind(word)].shape]).toHaveLength(1);
});

it.each(['asleep', 'constructor', ''])('the word %s is shown as the status unknown', (word) => {
  expect(statusKind(word)).toBe('unknown');
});
