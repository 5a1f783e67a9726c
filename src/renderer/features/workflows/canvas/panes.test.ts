import { describe, expect, it } from 'vitest';
import { chosenPanes, shownPanes } from './panes.ts';

describe('the panes beside the canvas', () => {
  it('are as they were left, the palette folded at first where there is little room', () => {
    expect(shownPanes({}, {}, 'wide')).toEqual({ palette: true, form: true });
    expect(shownPanes({}, {}, 'small')).toEqual({ palette: false, form: true });
    expect(shownPanes({ palette: true, form: false }, {}, 'small')).toEqual({ palette: true, form: false });
  });

  it('leave a narrow canvas alone until the form is asked for, and say nothing of a wide window then', () => {
    expect(shownPanes({ form: true }, {}, 'narrow').form).toBe(false);
    const { keeps, visit } = chosenPanes({ form: true }, 'narrow');
    expect([keeps, shownPanes(keeps, visit, 'narrow').form]).toEqual([{}, true]);
    expect(chosenPanes({ palette: false }, 'narrow')).toEqual({ keeps: { palette: false }, visit: {} });
    // Below the canvas the form covers nothing.
    expect(shownPanes({}, {}, 'stacked').form).toBe(true);
  });

  it('give way to a graph that has no room beside the form, until somebody asks for it', () => {
    expect(shownPanes({ form: true }, { gaveWay: true }, 'wide').form).toBe(false);
    const { keeps, visit } = chosenPanes({ form: true }, 'wide');
    expect(shownPanes(keeps, { gaveWay: true, ...visit }, 'wide').form).toBe(true);
  });
});
