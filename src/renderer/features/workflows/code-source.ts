import type { Definition } from '../../../contract/definition.ts';
import { isRecord } from '../../../lib/is-record.ts';

/** The source of a code node, also of one that runs for each item; null: it has none. */
export function codeSource({ nodes }: Pick<Definition, 'nodes'>, id: string): string | null {
  const config = nodes.find((node) => node.id === id)?.config;
  const inner = isRecord(config?.['node']) ? config['node']['config'] : undefined;
  const source = (isRecord(inner) ? inner : config)?.['source'];
  return typeof source === 'string' ? source : null;
}
