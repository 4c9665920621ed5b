import type { BrowserContext, Page } from 'playwright-core';

/** An answer that a page expects, such as 404 for an object that is gone, is written to the console all the same. */
const EXPECTED_ANSWER = /^Failed to load resource: the server responded with a status of 4\d\d\b/;
const OWN_SCHEMES = /^(?:data|blob|about|chrome-error):/;

/** What went wrong on the pages of a browser context, a line each. */
export class Faults {
  readonly lines: string[] = [];
  readonly #origin: string;
  readonly #tolerates: readonly RegExp[];

  constructor(origin: string, tolerates: readonly RegExp[]) {
    this.#origin = origin;
    this.#tolerates = tolerates;
  }

  /** Watches every page of the context, present and future. */
  async watch(context: BrowserContext): Promise<void> {
    await context.addInitScript(() => {
      addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) => {
        console.error(`policy violation: ${effectiveDirective} ${blockedURI} ${sample}`);
      });
    });
    context.on('page', (page) => this.#watchPage(page));
  }

  #watchPage(page: Page): void {
    page.on('console', (message) => {
      if (message.type() === 'error' && !EXPECTED_ANSWER.test(message.text()))
        this.#add(`console: ${message.text()} (${message.location().url})`);
    });
    page.on('pageerror', (error) => this.#add(`uncaught: ${error.stack ?? error.message}`));
    page.on('request', (request) => {
      const url = request.url();
      if (!OWN_SCHEMES.test(url) && new URL(url).origin !== this.#origin) this.#add(`another origin: ${url}`);
    });
    page.on('response', (response) => {
      if (response.status() >= 500) this.#add(`answer ${response.status()}: ${response.url()}`);
    });
  }

  #add(line: string): void {
    if (!this.#tolerates.some((each) => each.test(line))) this.lines.push(line);
  }
}
