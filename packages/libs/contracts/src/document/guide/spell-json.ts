const WIDTH = 110;

/** Formats JSON in few lines: a value that fits is on one line. */
export function spellJson(value: unknown, indent = ''): string {
  const line = onOneLine(value);
  if (indent.length + line.length <= WIDTH || typeof value !== 'object' || value === null) return line;
  const inner = `${indent}  `;
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const members = Array.isArray(value)
    ? value.map((each) => spellJson(each, inner))
    : Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${spellJson(each, inner)}`);
  return `${open}\n${folded(members, inner)}\n${indent}${close}`;
}

/** Joins members on lines as long as they fit. */
function folded(members: readonly string[], indent: string): string {
  const lines: string[] = [];
  for (const [index, member] of members.entries()) {
    const text = index === members.length - 1 ? member : `${member},`;
    const last = lines.at(-1);
    const fits = last !== undefined && !last.includes('\n') && !text.includes('\n');
    if (fits && last.length + 1 + text.length <= WIDTH) lines[lines.length - 1] = `${last} ${text}`;
    else lines.push(`${indent}${text}`);
  }
  return lines.join('\n');
}

function onOneLine(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(onOneLine).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${onOneLine(each)}`);
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`;
}
