type Announcement = 'signed-in' | 'signed-out';

let channel: BroadcastChannel | undefined;

/** Calls `receive` when another tab of this browser signs in or out. */
export function listenToTabs(receive: (announcement: Announcement) => void): void {
  if (typeof BroadcastChannel === 'undefined') return;
  channel = new BroadcastChannel('tidewatch-session');
  channel.onmessage = ({ data }: MessageEvent<Announcement>) => receive(data);
}

export function announceSession(announcement: Announcement): void {
  channel?.postMessage(announcement);
}
