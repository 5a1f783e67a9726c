/** What a key or pointer of the page hits: React's types leave open that it is an element. */
export const targetOf = ({ target }: { readonly target: EventTarget }): HTMLElement => target as HTMLElement;
