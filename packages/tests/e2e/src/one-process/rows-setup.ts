import type { TestProject } from 'vitest/node';
import { setUp } from './setup.ts';

/** Vitest's global setup of scenarios on one process that keeps samples as rows. */
export default (project: TestProject) => setUp(project, { TIDEWATCH_TEST_SAMPLE_LAYOUT: 'rows' });
