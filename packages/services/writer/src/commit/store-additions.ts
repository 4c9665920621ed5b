import type { Transaction } from '@tidewatch/database/connection';
import { createParts, updateParts } from '@tidewatch/store/parts/part-rows';
import { holdBlocks } from '@tidewatch/store/retention/dead-blocks';
import { createBlocks, growBlocks, SlotsTakenError } from '@tidewatch/store/samples/block-rows';
import type { ServiceEntry } from '@tidewatch/store/services/directory/service-entry';
import type { Block } from '../cache/block.ts';
import { HostParts, type KnownPart } from '../cache/host-parts.ts';
import type { Addition, Additions } from '../cache/subject.ts';

/** Creates blocks, adds them to `created`, and stores newly assigned slots, with one statement for each organization. */
export async function storeAdditions(
  tx: Transaction,
  additions: Additions,
  created: Set<Block>,
): Promise<void> {
  const byOrganization = Map.groupBy(additions, ([, { subject }]) => subject.entry.organizationId);
  for (const [organizationId, all] of byOrganization) {
    await storeParts(
      tx,
      organizationId,
      all.map(([, addition]) => addition),
    );
    const grown = all.filter(([block]) => block.id !== 0);
    if (grown.length > 0) {
      await growBlocks(
        tx,
        organizationId,
        grown.map(([block, addition]) => ({ blockId: block.id, taken: addition.slot, ...slotsOf(addition) })),
      );
    }
    const fresh = all.filter(([block]) => block.id === 0);
    if (fresh.length === 0) continue;
    const ids = await createBlocks(
      tx,
      organizationId,
      fresh.map(([block, addition]) => ({
        serviceId: addition.subject.entry.serviceId,
        subjectKind: addition.subject.kind,
        subjectName: addition.subject.name,
        ordinal: block.ordinal,
        ...slotsOf(addition),
      })),
    );
    for (const [index, [block]] of fresh.entries()) {
      block.id = ids[index] as number;
      created.add(block);
    }
  }
}

/** The metrics of new slots, and the parts that they belong to. */
function slotsOf({ subject, metrics }: Addition): { metrics: string[]; parts: number[] } {
  if (!(subject instanceof HostParts)) return { metrics, parts: [] };
  const series = metrics.map((key) => subject.seriesOf(key));
  return { metrics: series.map(({ metric }) => metric), parts: series.map(({ part }) => part.id) };
}

/**
 * Creates the parts that get slots. Known ones are named too, since one that stayed away as long as samples are kept may have been
 * removed meanwhile; then all is read again.
 */
async function storeParts(
  tx: Transaction,
  organizationId: string,
  additions: readonly Addition[],
): Promise<void> {
  const parts = new Map<KnownPart, ServiceEntry>();
  for (const { subject, metrics } of additions)
    if (subject instanceof HostParts)
      for (const key of metrics) parts.set(subject.seriesOf(key).part, subject.entry);
  if (parts.size === 0) return;
  if ([...parts.keys()].some(({ id }) => id !== 0)) await holdBlocks(tx);
  const rows = [...parts].map(([part, { serviceId, host }]) => ({ ...part, serviceId, host }));
  const ids = await createParts(tx, organizationId, rows);
  for (const [index, part] of [...parts.keys()].entries()) {
    if (part.id !== 0 && part.id !== ids[index]) throw new SlotsTakenError('a part was removed meanwhile');
    part.id = ids[index] as number;
  }
}

/** Writes what changed of parts; that of a part without slots is kept in memory until it has one. */
export async function storePartChanges(
  tx: Transaction,
  changed: ReadonlyMap<string, ReadonlySet<KnownPart>>,
): Promise<void> {
  for (const [organizationId, parts] of changed) {
    const stored = [...parts].filter(({ id }) => id !== 0);
    if (stored.length > 0) await updateParts(tx, organizationId, stored);
  }
}
