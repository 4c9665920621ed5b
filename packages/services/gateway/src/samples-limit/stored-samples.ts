import type { Container, Payload } from '@tidewatch/contracts/ingest/sample';

/** This many characters of names, tags and other texts count as one sample. */
const CHARACTERS_PER_SAMPLE = 64;

/**
 * The number of samples that the limit counts for payloads: the `samples` of hosts, containers and parts, one for each container
 * and part, one for each process and each of its values, and one for each started 64 characters of the other stored texts of a
 * payload.
 */
export function countStored(payloads: readonly Payload[], samples: number): number {
  let stored = samples;
  for (const { containers, processes, parts, tags } of payloads) {
    if (parts !== undefined) stored += parts.shape.kinds.length;
    let characters = 0;
    if (containers !== undefined) {
      stored += containers.length;
      for (const container of containers) characters += textOf(container);
    }
    if (processes !== undefined) {
      stored += processes.length;
      for (const { name, cpu_percent: cpu, memory_rss: rss } of processes) {
        characters += name.length;
        if (cpu !== undefined) stored += 1;
        if (rss !== undefined) stored += 1;
      }
    }
    if (tags !== undefined) for (const key in tags) characters += key.length + (tags[key] as string).length;
    stored += Math.ceil(characters / CHARACTERS_PER_SAMPLE);
  }
  return stored;
}

function textOf({ name, image, status }: Container): number {
  return name.length + (image?.length ?? 0) + (status?.length ?? 0);
}
