import { useAnnouncement } from './announcements.ts';

/** Says new alerts to assistive technology, politely, on every page. */
export function Announcer() {
  return (
    <div aria-live="polite" className="visually-hidden">
      {useAnnouncement()}
    </div>
  );
}
