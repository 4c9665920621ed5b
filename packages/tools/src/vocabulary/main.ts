import { fileURLToPath } from 'node:url';
import { replacedWords } from './check.ts';

const found = await replacedWords(fileURLToPath(new URL('../../../..', import.meta.url)), process.argv[2]);
console.log(found.join('\n'));
process.exitCode = found.length === 0 ? 0 : 1;
