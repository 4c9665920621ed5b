import { Outlet, useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { Announcer } from '../live/announcements/announcer.tsx';
import { FreshnessBanner } from '../live/freshness-view.tsx';
import { SessionDialogs } from '../session/session-dialogs.tsx';
import { UpgradeNotice } from '../upgrade/upgrade-notice.tsx';
import { DroppedNotice } from './dropped-notice.tsx';
import { Navigation } from './navigation.tsx';
import { Overlays } from './overlays.tsx';
import { TopBar } from './top-bar.tsx';

/** What surrounds every page: navigation, the bar at the top, and the place of the page. */
export function Frame() {
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const main = useRef<HTMLElement>(null);
  const former = useRef(path);
  useEffect(() => {
    if (former.current === path) return;
    former.current = path;
    // The focus moves to the content, so that the keyboard starts there as after a page load.
    main.current?.focus({ preventScroll: true });
  }, [path]);
  return (
    <div className="frame">
      <a className="frame-skip" href="#main">
        Skip to the content
      </a>
      <Navigation path={path} />
      <TopBar />
      <main id="main" ref={main} className="frame-main" tabIndex={-1}>
        <FreshnessBanner />
        <UpgradeNotice />
        <DroppedNotice />
        <Outlet />
      </main>
      <Announcer />
      <Overlays />
      <SessionDialogs path={path} />
    </div>
  );
}
