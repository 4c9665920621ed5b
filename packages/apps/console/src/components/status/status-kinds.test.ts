import { SERVICE_STATUSES } from '@tidewatch/contracts/services/service';
import { SEVERITIES } from '@tidewatch/contracts/values/severity';
import { expect, it } from 'vitest';
import { SHAPE_CHARACTERS, STATUS_KINDS, statusKind } from './status-kinds.ts';

it.each([...SERVICE_STATUSES, ...SEVERITIES])('has a shape for %s', (word) => {
  expect(statusKind(word)).toBe(word);
  expect(SHAPE_CHARACTERS[STATUS_KINDS[statusKind(word)].shape]).toHaveLength(1);
});

it.each(['asleep', 'constructor', ''])('shows %s as unknown', (word) => {
  expect(statusKind(word)).toBe('unknown');
});
