/** The names of storage backends, as people read them, by the names that the database keeps. */
export const STORAGE_BACKENDS = {
  plain: 'plain',
  apache: 'timescale-apache',
  community: 'timescale-community',
} as const;
