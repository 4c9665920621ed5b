import { expect, it } from 'vitest';
import { createAdmission } from './admission.ts';

it('ingest is open again once every closure was removed', () => {
  const admission = createAdmission();
  expect(admission.closure()).toBeNull();
  admission.close({ code: 'storage_full', reason: 'full', retryAfterSeconds: 30 });
  admission.close({ code: 'shutting_down', reason: 'leaving', retryAfterSeconds: 5 });
  expect(admission.closure()?.code).toBe('storage_full');
  admission.open('storage_full');
  expect(admission.closure()?.code).toBe('shutting_down');
  admission.open('shutting_down');
  expect(admission.closure()).toBeNull();
});
