import { beforeEach, expect, it, vi } from 'vitest';
import { loadNextPages } from './next-page.ts';

const page = { hidden: false };

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('document', page);
  page.hidden = false;
  return () => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
  };
});

/** A router that has opened a page, and the names of pages whose scripts were asked for. */
function opened(...routes: string[]) {
  const asked: string[] = [];
  let resolved = () => {};
  const router = {
    state: { matches: [{ routeId: '' }] },
    subscribe(_: string, listener: () => void) {
      resolved = listener;
    },
  };
  const load = async (page: string) => void asked.push(page);
  loadNextPages(router as never, (id) => id as never, load);
  const open = (route: string) => {
    router.state.matches = [{ routeId: '__root__' }, { routeId: route }];
    resolved();
  };
  for (const route of routes) open(route);
  return { asked, open };
}

it('loads the page that is opened from a list, once the list has been shown for a while', async () => {
  const { asked } = opened('hosts');
  await vi.advanceTimersByTimeAsync(1_999);
  expect(asked).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(asked).toEqual(['host']);
});

it('loads nothing for a list that was left before', async () => {
  const { asked } = opened('hosts', 'rules');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked).toEqual(['rule']);
});

it('loads nothing on a page from which none is opened', async () => {
  const { asked } = opened('preferences');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked).toEqual([]);
});

it('loads nothing while the page is hidden', async () => {
  page.hidden = true;
  const { asked } = opened('hosts');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(asked).toEqual([]);
});

it('loads it in time while a filter of the list changes all the while', async () => {
  const { asked, open } = opened('hosts');
  for (let times = 0; times < 10; times += 1) {
    open('hosts');
    await vi.advanceTimersByTimeAsync(200);
  }
  expect(asked).toEqual(['host']);
});
