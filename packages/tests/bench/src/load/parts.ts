/** The numbers of a part of a payload with parts. */
export const PART_METRICS = ['used_percent', 'used_bytes', 'read_per_second', 'write_per_second', 'errors'];

export function partName(index: number): string {
  return `/srv/volume-${index}`;
}

/** Returns the numbers of one part, in the order of `PART_METRICS`; most change a little with each tick. */
export function partValues(host: number, tick: number, index: number): number[] {
  return [
    ((tick * 3 + index * 29 + host) % 1000) / 10,
    1_000_000_000 + ((tick * 8192 + index * 4096 + host) % 100_000_000),
    ((tick * 11 + index * 7 + host) % 5000) / 100,
    ((tick * 5 + index * 13 + host) % 5000) / 100,
    0,
  ];
}

/** The parts of a payload, as a member of a JSON object. */
export function partsOf(host: number, tick: number, count: number): string {
  const parts: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const values = partValues(host, tick, index);
    const numbers = PART_METRICS.map((metric, place) => `"${metric}":${values[place]}`).join(',');
    parts.push(
      `{"kind":"filesystem","name":"${partName(index)}","labels":{"type":"ext4","device":"/dev/sd${index}"},${numbers}}`,
    );
  }
  return `"parts":[${parts.join(',')}]`;
}
