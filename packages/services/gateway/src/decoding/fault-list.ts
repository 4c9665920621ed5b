import type { Fault } from '@tidewatch/contracts/problems/problem';
import { MAX_FAULTS } from '@tidewatch/contracts/problems/validation';

/** Collects the faults of a body: counts all of them, keeps the first hundred. */
export class FaultList {
  readonly kept: Fault[] = [];
  count = 0;

  /** `parent` is a JSON Pointer, `segment` a member's name, unescaped. */
  add(parent: string, segment: string | number | null, code: string, message: string): void {
    this.count += 1;
    if (this.kept.length >= MAX_FAULTS) return;
    const path = segment === null ? parent : `${parent}/${escapeSegment(segment)}`;
    this.kept.push({ in: 'body', path, code, message });
  }
}

/** A member's name as a segment of a JSON Pointer. */
export function escapeSegment(segment: string | number): string {
  return typeof segment === 'number' ? String(segment) : segment.replaceAll('~', '~0').replaceAll('/', '~1');
}
