import { itemAt } from '../../../lib/item-at.ts';
import { isJsonObject, isRawNumber, parseJson } from '../../../lib/json.ts';
import { formatDefinition, formatPart, formatValue } from './format.ts';
import { stringValue, memberValue } from './locate.ts';
import { type JsonNode, type Member, scanJson } from './scan.ts';

/**
 * Writes a new value into JSON text and leaves the author's own layout wherever the value did not change: spaces, line
 * breaks, order of the members and the spelling of numbers stay. A text that is in our layout stays in it.
 */
export const rewriteJson = (text: string, next: unknown): string => rewriteInLayout(text, next).text;

/**
 * The same, for one change after the other. `isOurs`: the text is known to be in our layout, which need not be found out then.
 * `was`: the value that the text stands for; what the next one shares with it is known to be unchanged, and costs nothing.
 */
export function rewriteInLayout(
  text: string,
  next: unknown,
  isOurs = false,
  was?: unknown,
): { text: string; isOurs: boolean } {
  const { root, errors } = scanJson(text);
  if (root === null || errors.length > 0) return { text: `${formatValue(next, '')}\n`, isOurs: true };
  if (isSame(text, root, next, was)) return { text, isOurs };
  const inOurs = isOurs || formatDefinition(text) === text;
  const rewritten = inOurs ? writeOurs(text, root, next, was, '', 0) : write(text, root, next, was);
  return { text: text.slice(0, root.from) + rewritten + text.slice(root.to), isOurs: inOurs };
}

type Record_ = Readonly<Record<string, unknown>>;

const memberOfWas = (was: unknown, key: string): unknown =>
  isJsonObject(was) && Object.hasOwn(was, key) ? was[key] : undefined;
const itemOfWas = (was: unknown, at: number): unknown => (Array.isArray(was) ? was[at] : undefined);

function write(text: string, node: JsonNode, value: unknown, was: unknown): string {
  if (isSame(text, node, value, was)) return text.slice(node.from, node.to);
  if (node.kind === 'object' && isJsonObject(value) && node.members.length > 0) {
    const written = writeObject(text, node, value, was);
    if (written !== null) return written;
  }
  if (node.kind === 'array' && Array.isArray(value) && node.items.length > 0 && value.length > 0)
    return writeArray(text, node, value, was);
  return formatValue(value, indentAt(text, node.from));
}

/**
 * The same for a text in our layout: what did not change is taken as it stands, and what did is laid out, each by itself. It
 * holds because the definition and its lists of records have a line for each of their parts, however long these are.
 */
function writeOurs(text: string, node: JsonNode, value: unknown, was: unknown, indent: string, before: number): string {
  if (isSame(text, node, value, was)) return text.slice(node.from, node.to);
  const inner = `${indent}  `;
  if (
    node.kind === 'array' &&
    Array.isArray(value) &&
    value.some(isJsonObject) &&
    node.items.some((item) => item.kind === 'object')
  ) {
    const matched = match(node.items, value);
    const lines = value.map((one, i) => {
      const at = matched[i] ?? -1;
      const item = node.items[at];
      return inner + (item ? writeOurs(text, item, one, itemOfWas(was, at), inner, 0) : formatValue(one, inner));
    });
    return `[\n${lines.join(',\n')}\n${indent}]`;
  }
  if (indent === '' && node.kind === 'object' && isJsonObject(value)) {
    const kept = node.members.filter((member) => Object.hasOwn(value, member.key) && value[member.key] !== undefined);
    const names = new Set(kept.map((member) => member.key));
    const fresh = Object.entries(value).filter(([key, one]) => one !== undefined && !names.has(key));
    if (names.size === kept.length && kept.length + fresh.length > 0) {
      const named = (key: string, written: (before: number) => string) => `${inner}${key}: ${written(key.length + 2)}`;
      const lines = [
        ...kept.map((member) =>
          named(text.slice(member.keyFrom, member.keyTo), (taken) =>
            writeOurs(text, member.value as JsonNode, value[member.key], memberOfWas(was, member.key), inner, taken),
          ),
        ),
        ...fresh.map(([key, one]) => named(JSON.stringify(key), (taken) => formatValue(one, inner, taken))),
      ];
      return `{\n${lines.join(',\n')}\n}`;
    }
  }
  return formatPart(write(text, node, value, was), indent, before);
}

/** Null where the object cannot be written in its layout: nothing of it stays, or a name stands twice in it. */
function writeObject(
  text: string,
  node: Extract<JsonNode, { kind: 'object' }>,
  value: Record_,
  was: unknown,
): string | null {
  const names = new Set(node.members.map((member) => member.key));
  const kept = node.members.filter((member) => Object.hasOwn(value, member.key) && value[member.key] !== undefined);
  if (names.size !== node.members.length || kept.length === 0) return null;
  const leads = new Map<Member, string>(
    node.members.map((member, i) => [
      member,
      text.slice(i === 0 ? node.from + 1 : commaAfter(text, node.members[i - 1]?.value?.to ?? 0), member.keyFrom),
    ]),
  );
  const first = itemAt(node.members, 0);
  const last = itemAt(node.members, node.members.length - 1);
  const colon = text.slice(first.keyTo, first.value?.from);
  const parts = kept.map((member) => {
    // What becomes first begins as the first one did, so that no line is left empty.
    const lead = member === kept[0] ? leads.get(first) : leads.get(member);
    return `${lead}${text.slice(member.keyFrom, member.value?.from)}${write(text, member.value as JsonNode, value[member.key], memberOfWas(was, member.key))}`;
  });
  const lead = leads.get(last) ?? '';
  for (const [key, inner] of Object.entries(value)) {
    if (inner === undefined || names.has(key)) continue;
    const name = `${JSON.stringify(key)}${colon}`;
    parts.push(`${leads.size === 1 && !lead.includes('\n') ? ' ' : lead}${name}${fresh(inner, lead, name.length)}`);
  }
  return `{${parts.join(',')}${text.slice(last.value?.to, node.to)}`;
}

function writeArray(
  text: string,
  node: Extract<JsonNode, { kind: 'array' }>,
  value: readonly unknown[],
  was: unknown,
): string {
  const { items } = node;
  const leads = items.map((item, i) =>
    text.slice(i === 0 ? node.from + 1 : commaAfter(text, items[i - 1]?.to ?? 0), item.from),
  );
  const matched = match(items, value);
  const usual = leads.at(-1) ?? '';
  const parts = value.map((one, i) => {
    const at = matched[i] ?? -1;
    const item = items[at];
    const lead = i === 0 ? leads[0] : item ? (leads[at] === leads[0] && at === 0 ? usual : leads[at]) : usual;
    const spaced = items.length === 1 && i > 0 && !item && !usual.includes('\n') ? ' ' : lead;
    return `${spaced}${item ? write(text, item, one, itemOfWas(was, at)) : fresh(one, usual, 0)}`;
  });
  return `[${parts.join(',')}${text.slice(items.at(-1)?.to, node.to)}`;
}

/** For each new item the place of the old one that it goes on from. Without gain or loss the places say it; else ids and edges do, in their order. */
function match(items: readonly JsonNode[], value: readonly unknown[]): (number | undefined)[] {
  if (items.length === value.length) return value.map((_, i) => i);
  const places = new Map<string, number[]>();
  for (const [i, item] of items.entries()) {
    const key = keyOf(
      stringValue(memberValue(item, 'id')),
      stringValue(memberValue(item, 'from')),
      stringValue(memberValue(item, 'to')),
      stringValue(memberValue(item, 'port')),
    );
    if (key) places.set(key, [...(places.get(key) ?? []), i]);
  }
  let from = 0;
  return value.map((one) => {
    const record = isJsonObject(one) ? one : {};
    const key = keyOf(record['id'], record['from'], record['to'], record['port']);
    const at = key ? places.get(key)?.find((place) => place >= from) : undefined;
    if (at !== undefined) from = at + 1;
    return at;
  });
}

function keyOf(id: unknown, from: unknown, to: unknown, port: unknown): string | null {
  if (typeof id === 'string') return `id ${id}`;
  return typeof from === 'string' && typeof to === 'string' ? JSON.stringify([from, to, port ?? null]) : null;
}

/** A value that stands on a line of its own is laid out from there; one inside a line stays in it. */
function fresh(value: unknown, lead: string, before: number): string {
  const line = lead.lastIndexOf('\n');
  return line < 0 ? formatValue(value, null) : formatValue(value, lead.slice(line + 1), before);
}

const commaAfter = (text: string, at: number): number => text.indexOf(',', at) + 1;
const indentAt = (text: string, at: number): string =>
  /^[ \t]*/.exec(text.slice(text.lastIndexOf('\n', at - 1) + 1, at))?.[0] ?? '';

/** `was`: what stands there, where it is known. */
function isSame(text: string, node: JsonNode, value: unknown, was: unknown): boolean {
  if (was !== undefined && was === value && typeof value === 'object') return true;
  switch (node.kind) {
    case 'object': {
      if (!isJsonObject(value)) return false;
      const keys = Object.keys(value).filter((key) => value[key] !== undefined);
      return (
        keys.length === node.members.length &&
        new Set(node.members.map((member) => member.key)).size === keys.length &&
        node.members.every(
          (member) =>
            Object.hasOwn(value, member.key) &&
            member.value !== null &&
            isSame(text, member.value, value[member.key], memberOfWas(was, member.key)),
        )
      );
    }
    case 'array':
      return (
        Array.isArray(value) &&
        value.length === node.items.length &&
        node.items.every((item, i) => isSame(text, item, value[i], itemOfWas(was, i)))
      );
    case 'string':
      return value === node.value;
    case 'number': {
      const written = parseJson(text.slice(node.from, node.to));
      return isRawNumber(written)
        ? isRawNumber(value) && JSON.stringify(value) === JSON.stringify(written)
        : written === value;
    }
    default:
      return node.value === 'null' ? value === null : value === (node.value === 'true');
  }
}
