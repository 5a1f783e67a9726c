type Schema = Record<string, unknown>;

const DEEPEST = 4;

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (c) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[c] as string);

/** A schema as a readable list of its fields. */
export function schemaHtml(schema: unknown, depth = 0): string {
  const object = objectOf(schema as Schema);
  if (!object) return depth === 0 ? `<p><span class="type">${escapeHtml(typeText(schema as Schema))}</span></p>` : '';
  const required = new Set((object['required'] as string[] | undefined) ?? []);
  const rows = Object.entries((object['properties'] as Record<string, Schema> | undefined) ?? {}).map(
    ([name, field]) => {
      const inner = depth < DEEPEST && objectOf(field) ? schemaHtml(field, depth + 1) : '';
      const notes = [
        required.has(name) ? '' : 'optional',
        field['default'] === undefined ? '' : `default ${JSON.stringify(field['default'])}`,
      ]
        .filter(Boolean)
        .join(', ');
      return `<li><code>${escapeHtml(name)}</code> <span class="type">${escapeHtml(typeText(field))}</span>${notes === '' ? '' : ` <span class="note">${escapeHtml(notes)}</span>`}${typeof field['description'] === 'string' ? ` ${escapeHtml(field['description'])}` : ''}${inner}</li>`;
    },
  );
  if (rows.length === 0)
    return depth === 0 ? `<p><span class="type">${escapeHtml(typeText(schema as Schema))}</span></p>` : '';
  const list = isArray(schema as Schema) && depth === 0 ? '<p>A list of:</p>' : '';
  return `${list}<ul class="fields">${rows.join('')}</ul>`;
}

const isArray = (schema: Schema): boolean => schema['type'] === 'array';

/** The object that a schema describes: itself, its items, or the one branch of a union that is not null. */
function objectOf(schema: Schema): Schema | null {
  if (schema['type'] === 'object') return schema;
  if (isArray(schema)) return objectOf((schema['items'] as Schema | undefined) ?? {});
  const branches = ((schema['anyOf'] as Schema[] | undefined) ?? []).map(objectOf).filter((b) => b !== null);
  return branches[0] ?? null;
}

function typeText(schema: Schema): string {
  const branches = schema['anyOf'] as Schema[] | undefined;
  if (branches) return [...new Set(branches.map(typeText))].join(' | ');
  if (schema['const'] !== undefined) return JSON.stringify(schema['const']);
  if (isArray(schema)) return `list of ${typeText((schema['items'] as Schema | undefined) ?? {})}`;
  if (schema['type'] === undefined) return 'any JSON';
  const format = schema['format'] ?? schema['pattern'];
  return `${String(schema['type'])}${format === undefined ? '' : ` (${String(format)})`}`;
}
