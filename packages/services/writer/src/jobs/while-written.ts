import type { Sql } from '@tidewatch/database/connection';
import { type SampleLayout, sampleStateOf, writesLayout } from '@tidewatch/store/sample-log/sample-layout';

/** How often to look whether samples are written in another layout, ms. */
const LAYOUT_CHECK_MS = 1_000;

/** Returns a round that runs only while samples are written in this layout. */
export function whileWritten<A extends unknown[]>(
  sql: Sql,
  layout: SampleLayout,
  round: (...args: A) => Promise<number>,
): (...args: A) => Promise<number> {
  return async (...args) =>
    writesLayout(await sampleStateOf(sql), layout) ? await round(...args) : LAYOUT_CHECK_MS;
}
