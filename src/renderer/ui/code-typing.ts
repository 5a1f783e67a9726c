import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

/**
 * Text that is typed over a selection, put in by the editor. Left to itself Chromium would keep the colours of what goes by
 * style attributes around what comes, which the page's policy refuses, and CodeMirror would take them out again.
 */
export const typedOverSelection = (): Extension =>
  EditorView.domEventHandlers({
    beforeinput({ inputType, data, isComposing }, view) {
      const { from, to, empty } = view.state.selection.main;
      if (inputType !== 'insertText' || !data || isComposing || empty || view.state.readOnly) return false;
      const insert = () =>
        view.state.update(view.state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true });
      // Brackets that close themselves and the like come first, as in CodeMirror's own way.
      if (!view.state.facet(EditorView.inputHandler).some((handle) => handle(view, from, to, data, insert)))
        view.dispatch(insert());
      return true;
    },
  });
