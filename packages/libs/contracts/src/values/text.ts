import { z } from 'zod';
import { addFault } from '../problems/add-fault.ts';

/** Why a text is refused: `code` is the code of the fault, and `message` completes the sentence "must …". */
export interface TextFault {
  code: 'too_short' | 'too_long' | 'nul_character' | 'lone_surrogate';
  message: string;
}

/**
 * The fault of a text that is not one of `min` to `max` code points, or contains NUL (which PostgreSQL refuses) or an
 * unpaired surrogate (which has no UTF-8 form); otherwise undefined.
 */
export function textFault(text: string, min: number, max: number): TextFault | undefined {
  const units = text.length;
  if (units < min) {
    return {
      code: 'too_short',
      message: units === 0 ? 'Must not be empty.' : `Must have at least ${min} characters.`,
    };
  }
  if (units > max && (units > 2 * max || codePoints(text) > max)) {
    return { code: 'too_long', message: `Must have at most ${max} characters.` };
  }
  if (text.includes('\0')) return { code: 'nul_character', message: 'Must not contain a NUL character.' };
  if (!text.isWellFormed())
    return { code: 'lone_surrogate', message: 'Must not contain an unpaired surrogate.' };
  return undefined;
}

/** The schema of a text of `min` to `max` code points without NUL and unpaired surrogates. */
export function textSchema(min: number, max: number) {
  return z
    .string()
    .superRefine((text, context) => {
      const fault = textFault(text, min, max);
      if (fault) addFault(context, fault.code, fault.message);
    })
    .meta({ ...(min > 0 ? { minLength: min } : {}), maxLength: max });
}

function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
