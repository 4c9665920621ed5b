import { describe, expect, it } from 'vitest';
import { idSchema, isId, newId } from './id.ts';

describe('newId', () => {
  it('is the prefix and a version 7 UUID without dashes', () => {
    expect(newId('rul')).toMatch(/^rul_[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/);
  });

  it('creates ids that isId accepts only for their prefix', () => {
    const id = newId('alr');
    expect(isId('alr', id)).toBe(true);
    expect(isId('rul', id)).toBe(false);
    expect(idSchema('alr').safeParse(id).success).toBe(true);
  });
});

describe('isId', () => {
  it.each([
    '',
    'svc_',
    'svc_nonsense',
    'svc_\0',
    `svc_${'0'.repeat(31)}`,
    `svc_${'0'.repeat(33)}`,
    `svc_${'A'.repeat(32)}`,
  ])('refuses %j', (text) => {
    expect(isId('svc', text)).toBe(false);
  });
});
