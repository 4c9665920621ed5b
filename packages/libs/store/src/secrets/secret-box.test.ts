import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createSecretBox, SecretKeyError } from './secret-box.ts';

const box = createSecretBox(randomBytes(32));

it('a sealed text can be opened, but only for the place for which it was sealed', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme' }),
      fc.string(),
      fc.string({ minLength: 1 }),
      (text, place, other) => {
        const sealed = box.seal(text, place);
        expect(box.open(sealed, place)).toBe(text);
        expect(() => box.open(sealed, place + other)).toThrow(SecretKeyError);
      },
    ),
  );
});

it('sealing the same text twice gives different ciphertexts', () => {
  const [one, two] = [box.seal('text', 'a'), box.seal('text', 'a')];
  expect(one.sealed).not.toEqual(two.sealed);
  expect(one.nonce).not.toEqual(two.nonce);
});

describe('is refused', () => {
  it.each(['sealed', 'nonce'] as const)('where a bit of %s has changed', (part) => {
    const sealed = box.seal('text', 'a');
    for (let i = 0; i < sealed[part].length; i++) {
      const bytes = Uint8Array.from(sealed[part]);
      bytes[i] = (bytes[i] as number) ^ 1;
      expect(() => box.open({ ...sealed, [part]: bytes }, 'a')).toThrow(SecretKeyError);
    }
  });

  it.each([0, 1, 15, 16])('where the ciphertext is cut to %d bytes', (length) => {
    const sealed = box.seal('text', 'a');
    const cut = sealed.sealed.subarray(0, length);
    expect(() => box.open({ ...sealed, sealed: cut }, 'a')).toThrow(SecretKeyError);
  });

  it('with another key, recognized by an id that does not reveal the key', () => {
    const key = randomBytes(32);
    const other = createSecretBox(key);
    expect(() => other.open(box.seal('text', 'a'), 'a')).toThrow(`is the key ${other.keyId}`);
    expect(key.toString('hex')).not.toContain(other.keyId);
    expect(createSecretBox(key).keyId).toBe(other.keyId);
  });

  it.each([0, 16, 31, 33])('with a key of %d bytes', (length) => {
    expect(() => createSecretBox(randomBytes(length))).toThrow(RangeError);
  });
});
