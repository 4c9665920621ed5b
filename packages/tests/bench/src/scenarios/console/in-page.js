/**
 * Runs in every page before its own scripts and records what the browser measures. `probe.ts` reads it by the name
 * `tidewatchProbe`. It changes nothing that the page does.
 */
(() => {
  const probe = { longTasks: [], shift: 0, interactions: {}, received: {}, frames: [], visible: [] };
  const watches = new Map();
  const waitingHosts = new Map();
  let lastFrame = null;
  let framesId = 0;

  const observe = (type, take, options = {}) =>
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) take(entry);
    }).observe({ type, buffered: true, ...options });
  observe('longtask', ({ startTime, duration }) => probe.longTasks.push({ startTime, duration }));
  observe('layout-shift', ({ value, hadRecentInput }) => {
    if (!hadRecentInput) probe.shift += value;
  });
  observe(
    'event',
    ({ interactionId, duration, name }) => {
      if (interactionId === 0) return;
      const former = probe.interactions[interactionId];
      if (former === undefined || former.duration < duration)
        probe.interactions[interactionId] = { duration, name };
    },
    { durationThreshold: 16 },
  );

  /** Marks the time at which each watched condition holds for the first time. */
  const check = () => {
    for (const [name, isMet] of watches) {
      if (!isMet()) continue;
      watches.delete(name);
      performance.mark(name);
    }
    for (const row of waitingHosts.size === 0 ? [] : document.querySelectorAll('[role="row"]')) {
      const host = /web-\d{5}/.exec(row.textContent)?.[0];
      const since = waitingHosts.get(host);
      if (since === undefined) continue;
      probe.visible.push(Date.now() - since);
      waitingHosts.delete(host);
    }
  };
  new MutationObserver(check).observe(document, { childList: true, subtree: true, attributes: true });

  /** Every event that the worker passes on, by its id: how often it came. */
  const note = (event) => {
    probe.received[event.id] = (probe.received[event.id] ?? 0) + 1;
    if (event.type === 'alert.fired') waitingHosts.set(event.data.alert.host, Date.parse(event.time));
    if (event.type === 'alert.resolved') waitingHosts.delete(event.data.alert.host);
  };
  globalThis.SharedWorker = class extends SharedWorker {
    constructor(...given) {
      super(...given);
      this.port.addEventListener('message', ({ data }) => {
        if (data.kind === 'events') data.events.forEach(note);
      });
    }
  };

  const frame = (now) => {
    if (lastFrame !== null) probe.frames.push(now - lastFrame);
    lastFrame = now;
    framesId = requestAnimationFrame(frame);
  };
  globalThis.tidewatchProbe = {
    watch(name, isMet) {
      watches.set(name, isMet);
    },
    startFrames() {
      framesId = requestAnimationFrame(frame);
    },
    stopFrames() {
      cancelAnimationFrame(framesId);
      lastFrame = null;
    },
    /** Chromium without a screen hides no tab, so that the page is told it is behind another one. */
    hide() {
      Object.defineProperty(document, 'hidden', { configurable: true, value: true });
      Object.defineProperty(document, 'visibilityState', { configurable: true, value: 'hidden' });
      document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
    },
    /** Everything that was recorded since the last call. */
    take() {
      const taken = { ...probe };
      Object.assign(probe, {
        longTasks: [],
        shift: 0,
        interactions: {},
        received: {},
        frames: [],
        visible: [],
      });
      return taken;
    },
    /** When the first response whose address has this text was there, ms since the navigation. */
    arrivalOf: (text) =>
      performance.getEntriesByType('resource').find(({ name }) => name.includes(text))?.responseEnd ?? null,
    timeOf: (name) => performance.getEntriesByName(name)[0]?.startTime ?? null,
    durationsOf(name) {
      const durations = performance.getEntriesByName(name).map(({ duration }) => duration);
      performance.clearMeasures(name);
      return durations;
    },
  };
})();
