import { useEffect, useState } from 'react';

/** "Retrying in 4 s." Hidden from assistive technology, which would read every second. */
export function Countdown({ until }: { until: number }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 500);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.ceil((until - now) / 1_000);
  return <span aria-hidden="true">{seconds > 0 ? `Retrying in ${seconds} s.` : 'Retrying …'}</span>;
}
