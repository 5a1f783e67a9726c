import type { StackFrame } from '../../contract/tasks.ts';
import { FRAME_NAME_CHARS, STACK_FRAMES } from '../../contract/worker-protocol.ts';

/** Lines that stand before the source of a node in the function that is made of it. */
const LINES_BEFORE = 2;
/** `at total (<input>:5:3)`, or `at <input>:5:1` of a syntax error. */
const FRAME = /^\s*at (?:(.+) \()?<input>:(\d+):(\d+)\)?$/;

/** The frames of a stack that are in the source of the node, the innermost first; lines as the author counts them. */
export function stackFrames(stack: string, source: string): StackFrame[] {
  const lines = source.split('\n');
  const frames: StackFrame[] = [];
  for (const text of stack.split('\n')) {
    const [, name, row, column] = FRAME.exec(text) ?? [];
    // A statement that does not end is told at the brace that stands behind the source.
    const line = Math.min(Number(row) - LINES_BEFORE, lines.length);
    if (!(line >= 1) || frames.length === STACK_FRAMES) continue;
    const end = (lines[line - 1] ?? '').length + 1;
    frames.push({
      line,
      column: Number(row) - LINES_BEFORE > lines.length ? end : Math.max(1, Number(column)),
      function: name === undefined || name === 'anonymous' ? null : name.slice(0, FRAME_NAME_CHARS),
    });
  }
  return frames;
}
