/** Value and handler of a field: what is typed, ticked or chosen goes to `set`. Spread into Mantine's inputs. */
export const bindText = (value: string, set: (text: string) => unknown) => ({
  value,
  onChange: (event: { readonly currentTarget: { readonly value: string } }) => void set(event.currentTarget.value),
});

export const bindChecked = (checked: boolean, set: (on: boolean) => unknown) => ({
  checked,
  onChange: (event: { readonly currentTarget: { readonly checked: boolean } }) => void set(event.currentTarget.checked),
});

/** A choice that cannot be taken back. */
export const bindChoice = <T extends string>(value: T | null, set: (choice: T) => unknown) => ({
  value,
  onChange: (choice: T | null) => void (choice !== null && set(choice)),
});
