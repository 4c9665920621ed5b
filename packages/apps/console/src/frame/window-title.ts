/** The title of the page that is open, and how many critical alerts there are while nobody sees it. */
let page = 'Tidewatch';
let critical = 0;

/** `(3) ◆ db-03: Memory is full · Tidewatch` */
export function windowTitle(title: string, count: number): string {
  const counted = count > 0 ? `(${count}) ` : '';
  return `${counted}${title} · Tidewatch`;
}

export function setPageTitle(title: string): void {
  page = title;
  write();
}

/** Counts critical alerts in the title; 0 while the page is visible. */
export function setTitleCount(count: number): void {
  critical = count;
  write();
}

function write(): void {
  document.title = windowTitle(page, critical);
}
