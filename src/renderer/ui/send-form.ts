/**
 * From now on Ctrl+Enter (Cmd+Enter) in a dialog sends its form, from a text of several lines and one with code too, as its button does: not while
 * that cannot be pressed. The page below and the editor, which have a meaning of their own for it, do not hear of it.
 */
export function sendFormsByKey(): void {
  document.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !(event.target instanceof Element)) return;
      const form = event.target.closest<HTMLFormElement>('[role="dialog"] form');
      const button = form?.querySelector<HTMLButtonElement>('button[type="submit"]');
      if (!form || !button) return;
      event.preventDefault();
      event.stopPropagation();
      if (!button.matches(':disabled, [aria-disabled="true"]')) form.requestSubmit(button);
    },
    { capture: true },
  );
}
