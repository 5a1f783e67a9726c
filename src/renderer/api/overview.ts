import { call } from './client.ts';
import { read } from './read.ts';

export const overviewKeys = { overview: ['overview'] as const, settings: ['settings'] as const };

export const overviewQuery = () => read(overviewKeys.overview, 'master.overview', {});
export const settingsQuery = () => read(overviewKeys.settings, 'settings.get', {}, { staleTime: 60_000 });

/** Overrides by name; null takes one back. */
export const patchSettings = (changes: Readonly<Record<string, unknown>>) => call('settings.update', { body: changes });
