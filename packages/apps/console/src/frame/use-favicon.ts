import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { summaryRead } from '../api/summary.ts';
import { useLive } from '../live/live-state.ts';
import { onTheme, readColors } from '../style/theme.ts';
import { ICON_TOKENS, iconAddress, worstStatus } from './favicon.ts';

/** Keeps the icon of the tab by the worst status, in the colours of the theme. */
export function useFavicon(): void {
  const { data } = useQuery(summaryRead());
  const { freshness } = useLive();
  const isKnown = data !== undefined;
  const status = worstStatus(data, freshness.kind !== 'not-current');
  useEffect(() => {
    const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
    // Until something is known the icon is that of the HTML.
    if (link === null || (status === 'unknown' && !isKnown)) return;
    const show = () => {
      const [color = ''] = status === 'healthy' ? [] : readColors(document.body, [ICON_TOKENS[status]]);
      link.href = status === 'healthy' ? '/favicon.svg' : iconAddress(status, color);
    };
    // Reading a colour makes the browser compute styles, for which the page does not wait.
    const timer = setTimeout(show, 0);
    const stop = onTheme(show);
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [status, isKnown]);
}
