import { textFault } from '@tidewatch/contracts/values/text';
import type { FaultList } from '../fault-list.ts';

export type Json = Record<string, unknown>;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Adds a fault for a text that is not valid; returns whether it is valid. */
export function checkText(
  value: unknown,
  min: number,
  max: number,
  at: string,
  name: string,
  faults: FaultList,
): boolean {
  if (typeof value !== 'string') {
    const missing = value === undefined;
    faults.add(
      at,
      name,
      missing ? 'required' : 'invalid_type',
      missing ? 'Is required.' : 'Must be a string.',
    );
    return false;
  }
  const fault = textFault(value, min, max);
  if (fault === undefined) return true;
  faults.add(at, name, fault.code, fault.message);
  return false;
}

/** Checks the name of a member of a map; a bad one is named by its own path. */
export function checkName(name: string, max: number, at: string, faults: FaultList): boolean {
  const fault = textFault(name, 1, max);
  if (fault === undefined) return true;
  faults.add(at, name, fault.code, `The name: ${fault.message}`);
  return false;
}

export function addNumberFault(value: unknown, at: string, name: string, faults: FaultList): void {
  if (typeof value === 'number') faults.add(at, name, 'not_finite', 'Must be a finite number.');
  else faults.add(at, name, 'invalid_type', 'Must be a number.');
}
