import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { isRecord } from '../../lib/is-record.ts';
import { errorMessage } from '../../lib/errors.ts';
import { validZoom } from './zoom.ts';

export interface WindowBox {
  x: number;
  y: number;
  width: number;
  height: number;
}
export interface WindowState {
  /** Null: let the system place it. */
  box: WindowBox | null;
  maximized: boolean;
  /** How much larger than it is the page is drawn, in every cluster alike. */
  zoom: number;
}

export const MIN_WINDOW_SIZE = { width: 1024, height: 700 };
/** So much of the title bar must be on a display for a window to be taken back. */
const GRIP = { width: 120, height: 32 };

const isInteger = (value: unknown): value is number => Number.isInteger(value);

/** A remembered box counts only where a display of today still shows its title bar; it is cut to that display. */
export function validBox(value: unknown, displays: readonly WindowBox[]): WindowBox | null {
  if (!isRecord(value)) return null;
  const { x, y, width, height } = value;
  if (!isInteger(x) || !isInteger(y) || !isInteger(width) || !isInteger(height)) return null;
  const box = { x, y, width, height };
  const home = displays.find(
    (d) =>
      box.x < d.x + d.width - GRIP.width &&
      box.x + box.width > d.x + GRIP.width &&
      box.y >= d.y &&
      box.y < d.y + d.height - GRIP.height,
  );
  if (!home) return null;
  return {
    ...box,
    width: Math.max(MIN_WINDOW_SIZE.width, Math.min(box.width, home.width)),
    height: Math.max(MIN_WINDOW_SIZE.height, Math.min(box.height, home.height)),
  };
}

export function readWindowState(file: string, displays: readonly WindowBox[]): WindowState {
  try {
    const { box, maximized, zoom }: Partial<WindowState> = JSON.parse(readFileSync(file, 'utf8'));
    return { box: validBox(box, displays), maximized: maximized === true, zoom: validZoom(zoom) };
  } catch {
    return { box: null, maximized: false, zoom: 1 };
  }
}

/** Where nothing can be written, the window is none the worse: it only opens elsewhere next time. */
export function writeWindowState(file: string, state: WindowState): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${JSON.stringify(state)}\n`);
  } catch (error) {
    process.stderr.write(`yardmaster: could not save the window position (${errorMessage(error)})\n`);
  }
}
