import { beforeEach, describe, expect, it } from 'vitest';
import type { LogRecord } from '../../../contract/api.ts';
import { createLogBuffer, type LogBuffer, unseen } from './buffer.ts';

const line = (n: number): LogRecord => ({ _time: new Date(n).toISOString(), _msg: `line ${n}` });
const lines = (from: number, to: number): LogRecord[] => Array.from({ length: to - from + 1 }, (_, i) => line(from + i));
const shown = (buffer: LogBuffer): string[] => Array.from({ length: buffer.snapshot().length }, (_, i) => buffer.snapshot().at(i)!.record._msg.slice(5));

let time: number;
let frames: (() => void)[];
const frame = () => frames.splice(0).forEach((run) => run());
const make = (limit = 100, perSecond = 1000) => createLogBuffer({ limit, perSecond, now: () => time, schedule: (run) => frames.push(run) });
beforeEach(() => {
  time = 10_000;
  frames = [];
});

describe('the lines of a log list', () => {
  it('shows the newest first, live ones above, older pages below', () => {
    const buffer = make();
    buffer.addOlder([line(3), line(2)]);
    buffer.push([line(4), line(5)]);
    buffer.addOlder([line(1)]);
    frame();
    expect(shown(buffer)).toEqual(['5', '4', '3', '2', '1']);
    const keys = Array.from({ length: 5 }, (_, i) => buffer.snapshot().at(i)!.key);
    expect(new Set(keys).size).toBe(5);
  });
  it('tells one change a frame', () => {
    const buffer = make();
    let told = 0;
    buffer.subscribe(() => told++);
    buffer.push([line(1)]);
    buffer.push([line(2)]);
    frame();
    expect(told).toBe(1);
    buffer.push([line(3)]);
    frame();
    expect(told).toBe(2);
  });
  it('counts what comes while it is held, and shows it when it is let go', () => {
    const buffer = make();
    buffer.push([line(1)]);
    buffer.hold(true);
    buffer.push(lines(2, 4));
    frame();
    expect(shown(buffer)).toEqual(['1']);
    expect(buffer.snapshot().held).toBe(3);
    buffer.hold(false);
    frame();
    expect(shown(buffer)).toEqual(['4', '3', '2', '1']);
    expect(buffer.snapshot().held).toBe(0);
  });
  it('keeps its bounds and counts what it lets go: the oldest', () => {
    const buffer = make(100);
    buffer.addOlder(lines(1, 60).reverse());
    buffer.push(lines(61, 110));
    frame();
    expect(buffer.snapshot().length).toBeLessThanOrEqual(100);
    expect(buffer.snapshot().dropped).toBe(110 - buffer.snapshot().length);
    expect(shown(buffer)[0]).toBe('110');
    expect(buffer.addOlder(lines(1, 50))).toBe(false);
    buffer.push(lines(111, 400));
    frame();
    expect(buffer.snapshot().length).toBeLessThanOrEqual(100);
    expect(shown(buffer)[0]).toBe('400');
  });
  it('takes in so many a second and says how many it left out', () => {
    const buffer = make(1000, 10);
    buffer.push(lines(1, 25));
    buffer.push(lines(26, 30));
    frame();
    expect(shown(buffer)).toHaveLength(10);
    expect(buffer.snapshot().skipped).toBe(20);
    time += 1000;
    buffer.push(lines(31, 33));
    frame();
    expect(shown(buffer).slice(0, 3)).toEqual(['33', '32', '31']);
  });
  it('finds what came twice', () => {
    const buffer = make();
    buffer.addOlder([line(2), line(1)]);
    buffer.push([line(3)]);
    expect(buffer.newest(2).map((r) => r._msg)).toEqual(['line 2', 'line 3']);
    expect(unseen([line(2), line(9)], buffer.newest(10)).map((r) => r._msg)).toEqual(['line 9']);
  });
});
