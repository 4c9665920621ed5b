import { onPreferences, preferences } from './preferences.ts';

/** Keeps theme, density and motion of the page as the user prefers them. The theme of the system needs no script. */
export function applyAppearance({ dataset }: HTMLElement): void {
  const apply = () => {
    const { theme, density, motion } = preferences();
    if (theme === 'system') delete dataset['theme'];
    else dataset['theme'] = theme;
    dataset['density'] = density;
    dataset['motion'] = motion;
  };
  apply();
  onPreferences(apply);
}
