/** Neighbours of a member of a list. A member is in one list at a time. */
export interface Linked<T> {
  before: T | null;
  after: T | null;
}

/** A list in which adding at the end and taking out anywhere cost the same however long it is. */
export interface LinkedList<T> {
  readonly first: T | null;
  push(member: T): void;
  remove(member: T): void;
}

export function createLinkedList<T extends Linked<T>>(): LinkedList<T> {
  let last: T | null = null;
  const list: LinkedList<T> & { first: T | null } = {
    first: null,
    push(member: T) {
      member.before = last;
      member.after = null;
      if (last) last.after = member;
      else list.first = member;
      last = member;
    },
    remove(member: T) {
      const { before, after } = member;
      if (before) before.after = after;
      else list.first = after;
      if (after) after.before = before;
      else last = before;
      member.before = member.after = null;
    },
  };
  return list;
}
