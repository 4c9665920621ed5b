import { afterEach, describe, expect, it } from 'vitest';
import { setPreferences } from './preferences.ts';
import { startRedirect } from './start-page.ts';

const redirect = (path: string, navigation: string | undefined) =>
  startRedirect(new URL(path, 'http://tidewatch.example'), navigation);

describe('the start page', () => {
  afterEach(() => setPreferences({ start: 'overview' }));

  it('is the overview unless another one is preferred', () => {
    expect(redirect('/', 'navigate')).toBeNull();
    setPreferences({ start: 'alerts' });
    expect(redirect('/', 'navigate')).toBe('/alerts');
  });

  it.each([
    ['/?display=1', 'navigate'],
    ['/#main', 'navigate'],
    ['/services', 'navigate'],
    ['/', 'reload'],
    ['/', 'back_forward'],
    ['/', undefined],
  ])('does not replace %s after the navigation %s', (path, navigation) => {
    setPreferences({ start: 'hosts' });
    expect(redirect(path, navigation)).toBeNull();
  });
});
