import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

interface Named {
  file: string;
  text: string;
}

const FILE = /^(\d{4})-[a-z0-9-]+\.md$/;
const SUPERSEDED = /superseded (?:in part )?by \[(\d{4})\]\(([^)]+)\)/g;
const STATUS = /^(?:accepted(?:; superseded in part by [^;]+)?|superseded by \S+)$/;
const ROW = /^\| \[(\d{4})\]\(([^)]+)\) \| (\S+) \| (.+?) \| (.+?) \|$/gm;

/** The differences between decision records and their index, one line for each. */
export function decisionFaults(records: Named[], index: string): string[] {
  const faults: string[] = [];
  const rows = [...index.matchAll(ROW)];
  const numbers = new Map<string, string>();
  for (const { file, text } of records) {
    const number = FILE.exec(file)?.[1] ?? '';
    const [heading, , status = '', date = ''] = text.split('\n');
    const title = heading?.startsWith(`# ${number}. `) ? heading.slice(8) : undefined;
    if (title === undefined) faults.push(`${file}: the first line must be "# ${number}. Title"`);
    const stated = status.replace(/^Status: /, '');
    if (!status.startsWith('Status: ') || !STATUS.test(stated))
      faults.push(
        `${file}: the third line must be "Status: accepted", or say by which record it is superseded`,
      );
    if (!/^Date: \d{4}-\d\d-\d\d$/.test(date))
      faults.push(`${file}: the fourth line must be "Date: YYYY-MM-DD"`);
    if (numbers.has(number)) faults.push(`${file}: ${numbers.get(number)} has the same number`);
    numbers.set(number, file);
    for (const [, , target = ''] of stated.matchAll(SUPERSEDED)) {
      const later = records.find((record) => record.file === target);
      if (!/^Supersedes: .*$/m.exec(later?.text ?? '')?.[0].includes(`(${file})`))
        faults.push(`${file}: ${target} has no line "Supersedes:" that names it`);
    }
    const expected = `| [${number}](${file}) | ${date.replace('Date: ', '')} | ${title} | ${stated} |`;
    const own = rows.filter((row) => row[2] === file);
    if (own.length !== 1 || own[0]?.[0] !== expected)
      faults.push(
        `docs/decisions/README.md must have this row once, and no other of the record: ${expected}`,
      );
  }
  for (const [, , file = ''] of rows)
    if (!records.some((record) => record.file === file))
      faults.push(`docs/decisions/README.md has a row of ${file}, which does not exist`);
  return faults;
}

/** The faults of `docs/decisions/`. */
export async function faultsOfDecisions(root: string): Promise<string[]> {
  const folder = join(root, 'docs/decisions');
  const read = async (file: string) => ({ file, text: await readFile(join(folder, file), 'utf8') });
  const names = (await readdir(folder)).filter((name) => name !== 'README.md').sort();
  return decisionFaults(await Promise.all(names.map(read)), (await read('README.md')).text);
}
