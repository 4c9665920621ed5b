import { type ReactNode, useEffect } from 'react';
import { setPageTitle } from '../frame/window-title.ts';
import styles from './page-header.module.css';
import { visibleText } from './visible-text.ts';

export interface PageHeaderProps {
  /** The heading, whose unseen characters are escaped; what is shown beside the name, such as a status, stands in `before`. */
  title: string;
  /** The title of the window, without the product's name. Default: the heading. */
  windowTitle?: string;
  before?: ReactNode;
  actions?: ReactNode;
}

/** The only h1 of a page, with the page's actions. It sets the title of the window. */
export function PageHeader({ title, windowTitle = title, before, actions }: PageHeaderProps) {
  useEffect(() => {
    setPageTitle(visibleText(windowTitle));
  }, [windowTitle]);
  return (
    <div className={styles['header']}>
      {before}
      <h1>{visibleText(title)}</h1>
      {actions && <div className={styles['actions']}>{actions}</div>}
    </div>
  );
}
