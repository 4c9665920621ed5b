import { fileURLToPath } from 'node:url';
import type { Part } from './part.ts';
import { findPythonProgram, type PythonProgram } from './virtual-environment.ts';

const REQUIREMENTS = fileURLToPath(new URL('../../../e2e/schemathesis/requirements.txt', import.meta.url));

/**
 * Finds schemathesis, a program that tests an API against its document: the program in TIDEWATCH_TEST_SCHEMATHESIS, otherwise one
 * from PyPI with all versions pinned. Synchronous.
 */
export function findSchemathesis(): Part<PythonProgram> {
  const given = process.env['TIDEWATCH_TEST_SCHEMATHESIS'];
  if (given)
    return { state: 'given', address: { program: given }, detail: 'from TIDEWATCH_TEST_SCHEMATHESIS' };
  return findPythonProgram('schemathesis', 'schemathesis', REQUIREMENTS);
}
