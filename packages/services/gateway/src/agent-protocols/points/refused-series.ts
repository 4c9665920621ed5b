import type { Rejection } from '../series/point-sink.ts';

/** Why a series is refused, and what names it in the answer. */
export interface RefusedSeries {
  reason: Rejection;
  example: string;
}
