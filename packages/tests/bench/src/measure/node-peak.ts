/** The highest peak of resident memory among the Node processes, bytes. */
export function nodePeak(peaks: ReadonlyMap<string, number>): number {
  return Math.max(0, ...[...peaks].filter(([name]) => name.startsWith('node')).map(([, bytes]) => bytes));
}
