/** A number with its noun, such as `1 host` and `2 hosts`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
