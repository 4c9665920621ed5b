import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Fault,
  jsonPointer,
  ProblemError,
  problemDocument,
  problemSchema,
  validationProblem,
} from './problem.ts';
import { PROBLEM_CODES, PROBLEMS } from './problem-codes.ts';

describe('jsonPointer', () => {
  it.each([
    [[], ''],
    [['host'], '/host'],
    [['metrics', ''], '/metrics/'],
    [[2, 'metrics', 'a/b~c'], '/2/metrics/a~1b~0c'],
    [['metrics', '~1'], '/metrics/~01'],
    [['metrics', '__proto__'], '/metrics/__proto__'],
  ])('of %j is %s', (segments, pointer) => {
    expect(jsonPointer(segments)).toBe(pointer);
  });

  it('can be decoded to the segments from which it was made', () => {
    const decode = (pointer: string) =>
      pointer
        .split('/')
        .slice(1)
        .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
    fc.assert(
      fc.property(fc.array(fc.string()), (segments) => {
        expect(decode(jsonPointer(segments))).toEqual(segments);
      }),
    );
  });
});

describe('problems', () => {
  it.each(PROBLEM_CODES)('%s is an error with a document of the contract', (code) => {
    const document = problemDocument(new ProblemError(code), {
      instance: '/api/v1/services',
      requestId: 'r',
    });
    expect(problemSchema.parse(document)).toEqual(document);
    expect(document).toMatchObject({
      type: `/problems/${code}`,
      status: PROBLEMS[code].status,
      instance: '/api/v1/services',
      request_id: 'r',
      errors: [],
    });
    expect(document.status).toBeGreaterThanOrEqual(400);
    expect(document.detail).not.toBe('');
  });

  it('have headers and a cause, which their documents do not contain', () => {
    const cause = new Error('secret of the driver');
    const error = new ProblemError('ingest_unavailable', { headers: { 'Retry-After': '5' }, cause });
    expect(error).toMatchObject({ status: 503, headers: { 'Retry-After': '5' }, cause });
    expect(JSON.stringify(problemDocument(error, { instance: '/', requestId: 'r' }))).not.toContain('secret');
  });
});

describe('validationProblem', () => {
  const fault = (path: string, code: string): Fault => ({ in: 'body', path, code, message: 'Is wrong.' });

  it('uses the code unsupported only where there is no other fault', () => {
    expect(validationProblem([fault('/mode', 'unsupported')]).code).toBe('unsupported');
    expect(validationProblem([fault('/mode', 'unsupported'), fault('/name', 'required')]).code).toBe(
      'validation_failed',
    );
  });

  it('reports the first fault and the number of further ones', () => {
    expect(validationProblem([fault('/name', 'required')]).detail).toBe('/name: Is wrong.');
    expect(validationProblem([fault('', 'invalid_type'), fault('/b', 'x')]).detail).toBe(
      'the body: Is wrong. 1 more fault.',
    );
    expect(validationProblem(['/a', '/b', '/c'].map((path) => fault(path, 'x'))).detail).toBe(
      '/a: Is wrong. 2 more faults.',
    );
  });
});
