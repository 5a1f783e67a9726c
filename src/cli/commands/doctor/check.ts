import { errorCode, errorMessage } from '../../../lib/errors.ts';

/** One thing that was looked at. `remedy` says what to do; null where nothing is to be done. */
export interface Check {
  name: string;
  status: 'ok' | 'warning' | 'failed';
  detail: string;
  remedy: string | null;
}

export const passed = (name: string, detail: string): Check => ({ name, status: 'ok', detail, remedy: null });
export const warning = (name: string, detail: string, remedy: string): Check => ({
  name,
  status: 'warning',
  detail,
  remedy,
});
export const failed = (name: string, detail: string, remedy: string): Check => ({
  name,
  status: 'failed',
  detail,
  remedy,
});

export const reason = (error: unknown): string => errorCode(error) ?? errorMessage(error);
