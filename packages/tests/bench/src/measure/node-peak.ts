/** Of the highest resident sizes of processes, that of the largest which is a Node, bytes. */
export function nodePeak(peaks: ReadonlyMap<string, number>): number {
  return Math.max(0, ...[...peaks].filter(([name]) => name.startsWith('node')).map(([, bytes]) => bytes));
}
