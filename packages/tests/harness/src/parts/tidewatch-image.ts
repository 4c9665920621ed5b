import { recordPart } from './report.ts';

/** The image that deploy/standalone.Dockerfile builds, if the environment names one. */
export const IMAGE = process.env['TIDEWATCH_TEST_IMAGE'] || undefined;

recordPart({
  name: 'Tidewatch image',
  ...(IMAGE === undefined
    ? { state: 'lacked', detail: 'TIDEWATCH_TEST_IMAGE names none' }
    : { state: 'given', detail: `${IMAGE}, from TIDEWATCH_TEST_IMAGE` }),
});
