import { expect, test } from 'vitest';
import { asCommonJs, examplesOf, inFunction } from './examples.ts';

const README = `# Title
\`\`\`sh
npm install
\`\`\`
\`\`\`js
import assert from 'node:assert/strict';
import { one, two } from './numbers.mjs';

assert.equal(await one(), two);
\`\`\`
`;

test('an example of a README becomes a module of either kind, imports first', () => {
  const [example = '', ...others] = examplesOf(README);
  expect(others).toEqual([]);
  expect(inFunction(example)).toMatch(
    /^import assert from .*\nimport \{ one, two \} from .*\nasync function/,
  );
  expect(asCommonJs(example)).toBe(`const assert = require('node:assert/strict');
const { one, two } = require('./numbers.mjs');
async function main() {



assert.equal(await one(), two);
}
void main();
`);
});
