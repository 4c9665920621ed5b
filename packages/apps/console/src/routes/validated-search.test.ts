import { readSearch } from '@tidewatch/contracts/console/parameters';
import { expect, it } from 'vitest';
import { droppedParameters } from './dropped-parameters.ts';
import { validAddress, validatedSearch } from './validated-search.ts';

it('page parameters have the same values from a URL and from a link', () => {
  const values = { status: ['critical', 'offline'], q: 'web', view: 'table' } as const;
  expect(validatedSearch('hosts', readSearch('?status=critical&status=offline&q=web&view=table'))).toEqual(
    values,
  );
  expect(validatedSearch('hosts', { ...values, fill: undefined })).toEqual(values);
  expect(validatedSearch('query', { top: 5 })).toEqual({ top: 5 });
  expect(validatedSearch('overview', { display: true })).toEqual({ display: true });
});

it('an invalid page parameter is dropped, and its name kept for the notice', () => {
  expect(validatedSearch('hosts', readSearch('?view=globe&q=web'))).toEqual({ q: 'web' });
  expect(droppedParameters()).toEqual({ page: 'hosts', names: ['view'] });
});

it('an address loses the parameters that its page ignores, and no others', () => {
  expect(validAddress({ pathname: '/alerts', search: '?from=yesterday&host=web', hash: '#a' })).toBe(
    '/alerts?host=web#a',
  );
  expect(validAddress({ pathname: '/alerts', search: '?host=web', hash: '' })).toBeNull();
  expect(validAddress({ pathname: '/alerts', search: '', hash: '' })).toBeNull();
  expect(validAddress({ pathname: '/nowhere', search: '?from=yesterday', hash: '' })).toBeNull();
});
