import type { Catalogue } from '../../../lib/language.ts';

export const graph: Catalogue = {
  '{label}, {count} nodes': '{label}, {count} Knoten',
  'Zoom out': 'Verkleinern',
  'Zoom in': 'Vergrößern',
  'Fit to view': 'Einpassen',
};
