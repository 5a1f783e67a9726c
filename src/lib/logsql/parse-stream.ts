import type { Filter, StreamTag } from './ast.ts';
import type { Cursor } from './cursor.ts';

/** `{a="1",b=~"x|y" or c in ("d")}` */
export function parseStream(cursor: Cursor): Filter {
  cursor.expect('{', 'of a stream selector');
  const groups: StreamTag[][] = [];
  if (!cursor.isSign('}')) {
    do groups.push(groupAt(cursor));
    while (cursor.word('or'));
  }
  cursor.expect('}', 'at the end of the stream selector');
  return { kind: 'stream', groups: groups.length === 0 ? [[]] : groups };
}

function groupAt(cursor: Cursor): StreamTag[] {
  const tags = [tagAt(cursor)];
  while (cursor.sign(',')) {
    if (cursor.isSign('}')) break;
    tags.push(tagAt(cursor));
  }
  return tags;
}

function tagAt(cursor: Cursor): StreamTag {
  const name = cursor.name('the name of a label');
  for (const op of ['=~', '!~', '!=', '='] as const) {
    if (!cursor.sign(op)) continue;
    const { at } = cursor.peek();
    const value = cursor.value('-./+:', 'the value of a label');
    return { name, op, values: [op.endsWith('~') ? cursor.checkRegex(value, at) : value] };
  }
  const op = cursor.word('in') ? 'in' : cursor.word('not_in') ? 'not_in' : null;
  if (op === null) throw cursor.wrong('=, !=, =~, !~, in or not_in after the label');
  cursor.expect('(', `behind ${op}`);
  const values = cursor.upToBrace('between two values', () => cursor.value('-./+:', 'the value of a label'));
  return { name, op, values };
}
